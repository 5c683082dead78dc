"""What a reader meets in an emitted file, counted: see scripts/readability."""

import collections
import dataclasses
import re

from lib.emitted import Kind, is_known, operator_of

LOOPS = {Kind.FOR_STMT, Kind.WHILE_STMT, Kind.DO_STMT, Kind.CXX_FOR_RANGE_STMT}
COMPARISONS = {"<", "<=", ">", ">=", "==", "!=", "&&", "||"}
COPIES = {"cudaMemcpyAsync", "copy_array", "copy_n", "copy"}
WITH_TYPES = {"copy_array", "fill_zeros"}  # which may stand in `<>`
FILLS = {"cudaMemsetAsync", "fill_zeros", "fill_n", "fill"}


@dataclasses.dataclass
class Measures:
    """Counts add up; of what is longest the longest counts."""
    entries: int = 0
    source: int = 0  # lines of code
    lines: int = 0
    names: int = 0  # that the file declares, each once
    numbered: int = 0  # of these, that end in a digit
    told_apart: int = 0  # of these, whose number is neither the source's nor a result's
    uses: int = 0  # of declared names
    numbered_uses: int = 0
    longest_function: tuple = (0, "")
    longest_line: int = 0
    statements: int = 0  # of entries
    steps: int = 0
    known: int = 0
    copies: int = 0
    one_thread: int = 0
    equal: int = 0

    def __add__(self, other):
        values = {}
        for field in dataclasses.fields(self):
            mine, others = getattr(self, field.name), getattr(other, field.name)
            values[field.name] = max(mine, others) if field.name.startswith("longest") else mine + others
        return Measures(**values)


@dataclasses.dataclass
class Findings:
    """What to look at first: numbered names with how often they occur, conditions with their lines, names of equal functions."""
    names: collections.Counter
    conditions: list
    equal: list


def measure(emitted, source_lines, source_numbered=frozenset()):
    """Measures and Findings. `source_numbered`: names of the source that end in a digit."""
    lines = emitted.text.splitlines()
    uses = uses_of(emitted)
    numbered = {name: count for name, count in uses.items() if is_numbered(name)}
    entries = entries_of(emitted)
    conditions, equal = known_conditions(emitted), equal_functions(emitted)
    measures = Measures(
        entries=len(entries), source=source_lines, lines=len(lines),
        names=len(uses), numbered=len(numbered),
        told_apart=sum(not has_reason(name, source_numbered) for name in numbered), uses=sum(uses.values()), numbered_uses=sum(numbered.values()),
        longest_function=max(((function.lines, function.name) for function in emitted.functions), default=(0, "")),
        longest_line=max(map(len, lines), default=0),
        statements=sum(statements(entry.cursor) for entry in entries), steps=sum(steps(emitted, entry) for entry in entries),
        known=len(conditions), copies=copies(emitted.tokens), one_thread=one_thread_launches(emitted.tokens),
        equal=sum(len(names) - 1 for names in equal))
    return measures, Findings(collections.Counter(numbered), conditions, equal)


# --- names -----------------------------------------------------------------------------------


def is_numbered(name):
    """`state_2` and `x2`; also `exp_2_`, where an underscore keeps the name apart from one of the headers."""
    return re.search(r"\d_?$", name) is not None


def has_reason(name, source_numbered):
    """The source has the number: `tmp2`, and `sum_of_tmp2` after it. Or it counts the results of an entry, which have no names: `result_1`."""
    name = name.rstrip("_")
    words = name.split("_")
    return re.fullmatch(r"result_\d+", name) is not None or any("_".join(words[i:]) in source_numbered for i in range(len(words)))


def uses_of(emitted):
    """How often each declared name occurs, its declarations among them."""
    return collections.Counter(token.text for token in emitted.tokens if token.is_name and token.text in emitted.declared)


# --- the host's code -------------------------------------------------------------------------


def entries_of(emitted):
    """The functions that have another one which says how much scratch they need."""
    names = {function.name for function in emitted.functions}
    return [function for function in emitted.functions if query_name(function.name) in names]


def query_name(name):
    """`cost_scratch` for `cost`, and `main_scratch` for `main_`."""
    return name + ("scratch" if name.endswith("_") else "_scratch")


def statements(node):
    """Statements inside of the node; blocks are none, but what is in them is."""
    children = list(node.get_children())
    inner = children if node.kind is Kind.COMPOUND_STMT else bodies(node, children)
    return sum(child.kind is not Kind.COMPOUND_STMT for child in inner) + sum(map(statements, children))


def bodies(node, children):
    """What a loop or an `if` does."""
    if node.kind is Kind.DO_STMT:
        return children[:1]
    if node.kind in LOOPS:
        return children[-1:]
    if node.kind is Kind.IF_STMT:
        return [child for child in children if child.kind not in (Kind.VAR_DECL, Kind.DECL_STMT)][1:]
    return []


def steps(emitted, entry):
    """Launches, calls of a library, copies and fills; without a device the outermost loops instead of launches."""
    tokens = emitted.tokens_in(entry.begin, entry.end)
    on_device = sum(token.text == "<<<" for token in tokens) + library_calls(emitted, tokens)
    return on_device + calls(tokens, COPIES | FILLS) + (0 if on_device else outermost_loops(entry.cursor))


def library_calls(emitted, tokens):
    """Calls of the file's functions that call CUB; each makes one step."""
    callers = {function.name for function in emitted.functions if calls_cub(emitted.tokens_in(function.begin, function.end))}
    return calls(tokens, callers)


def calls_cub(tokens):
    return any(a.text == "cub" and b.text == "::" and c.text.startswith("Device") for a, b, c in zip(tokens, tokens[1:], tokens[2:]))


def outermost_loops(node):
    return sum(1 if child.kind in LOOPS else outermost_loops(child) for child in node.get_children())


def calls(tokens, names):
    def is_call(name, after):
        return name in names and (after == "(" or after == "<" and name in WITH_TYPES)

    return sum(is_call(a.text, b.text) for a, b in zip(tokens, tokens[1:])) - definitions(tokens, names)


def definitions(tokens, names):
    """Of functions of the runtime part that make such calls."""
    return sum(a.text == "cudaError_t" and b.text in names and c.text == "(" for a, b, c in zip(tokens, tokens[1:], tokens[2:]))


def copies(tokens):
    """Of arrays; what the host reads and writes of the device is none."""
    within_device = sum(token.text == "cudaMemcpyDeviceToDevice" for token in tokens) - definitions(tokens, {"copy_array"})
    return calls(tokens, COPIES - {"cudaMemcpyAsync"}) + within_device


def one_thread_launches(tokens):
    return sum([token.text for token in tokens[i:i + 4]] == ["<<<", "1", ",", "1"] for i in range(len(tokens)))


# --- what could be left out ------------------------------------------------------------------


def known_conditions(emitted):
    """Line and text of each comparison, and of each condition of `if` and `?:`, whose value the compiler knows; of one in another
    the outer."""
    found = set()
    for function in emitted.functions:
        collect_known(emitted, function.cursor, found)
    return sorted(found)


def collect_known(emitted, node, found):
    children = list(node.get_children())
    for child in children:
        if is_condition(node, child, children) and is_known(child):
            found.add((child.location.line, emitted.text_of(child)))
        else:
            collect_known(emitted, child, found)


def is_condition(node, child, children):
    if operator_of(child) in COMPARISONS:
        return True
    if node.kind is Kind.IF_STMT:
        return child.kind.is_expression() and child not in bodies(node, children)
    return node.kind is Kind.CONDITIONAL_OPERATOR and child == children[0]


def equal_functions(emitted):
    """Names of functions, and of structs that have some, that are equal but for what they call themselves and what is theirs: a list for
    each text that stands in the file more than once. What callers of the file know by its name has to be there."""
    groups = collections.defaultdict(list)
    first = {}  # place of a declaration to what stands for the first one that is equal
    for definition in sorted(emitted.structs + emitted.functions, key=lambda definition: definition.begin):
        if definition.is_outermost and not definition.is_public:
            text, inner = normal_text(emitted, definition, first)
            group = groups[text]
            group.append(definition)
            first[definition.cursor.location.offset] = group[0].name
            first.update((place, f"{group[0].name} {number}") for place, number in inner.items())
    return [[definition.name for definition in group] for group in groups.values() if len(group) > 1 and group[0].has_code]


def normal_text(emitted, definition, first):
    """Its tokens, and numbers of the places where names are declared inside: as those are first met, and they stand for the names."""
    numbers = {}
    words = []
    for token in emitted.tokens_in(definition.begin, definition.end):
        declared = emitted.meaning.get(token.offset)
        if not token.is_name:
            words.append(token.text)
        elif token.text == definition.name:
            words.append("its own name")
        elif declared is not None and definition.begin <= declared < definition.end:
            words.append(f"name {numbers.setdefault(declared, len(numbers))}")
        else:
            words.append(first.get(declared, token.text))
    return tuple(words), numbers

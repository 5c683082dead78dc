// Colours of code, line by line.

const languages = {
  futhark: {
    words: /^(?:let|in|def|entry|if|then|else|loop|for|while|do|with|type|module|open|import|local|match|case|val|assert)$/,
    types: /^(?:[iuf](?:8|16|32|64)|bool)$/,
    comment: "--",
  },
  cuda: {
    words: /^(?:if|else|for|while|do|return|const|constexpr|struct|class|template|typename|namespace|using|static|inline|auto|public|private|continue|break|operator|sizeof|nullptr|true|false|__global__|__device__|__host__|__shared__|__restrict__|__launch_bounds__|static_cast|reinterpret_cast)$/,
    types: /^(?:u?int(?:8|16|32|64)?_t|int|unsigned|float|double|bool|void|char|__half|_Float16|std|size_t|cudaError_t|cudaStream_t|dim3|Status)$/,
    comment: "//",
  },
};

const tokens = /"(?:[^"\\]|\\.)*"|[A-Za-z_][A-Za-z_0-9']*|\b\d[\w.]*(?:e[-+]?\d+\w*)?|#\[[^\]]*\]|^\s*#\w+/g;

function kindOf(token, language) {
  if (token[0] === '"') return "string";
  if (token.trimStart()[0] === "#") return "comment";
  if (/^\d/.test(token)) return "num";
  if (language.words.test(token)) return "keyword";
  return language.types.test(token) ? "type" : "";
}

/** The nodes of a line. */
function coloured(line, languageName) {
  const language = languages[languageName];
  const comment = line.indexOf(language.comment);
  const code = comment < 0 ? line : line.slice(0, comment);
  const nodes = [];
  let end = 0;
  for (const match of code.matchAll(tokens)) {
    const kind = kindOf(match[0], language);
    if (!kind) continue;
    if (match.index > end) nodes.push(code.slice(end, match.index));
    nodes.push(element("span", { class: kind }, match[0]));
    end = match.index + match[0].length;
  }
  if (end < code.length) nodes.push(code.slice(end));
  if (comment >= 0) nodes.push(element("span", { class: "comment" }, line.slice(comment)));
  return nodes;
}

/** A row of code: a number or sign, and the text, which goes on with its own indentation where it is too long. */
function codeRow(line, languageName, margin, marginClass = "number") {
  const text = element("span", { class: "text" }, ...coloured(line, languageName));
  const indentation = line.length - line.trimStart().length;
  if (indentation > 0) text.style.setProperty("--indent", indentation);
  return element("div", { class: /^\/\/ -{20,}$/.test(line) ? "row ruler" : "row" }, element("span", { class: marginClass }, margin), text);
}

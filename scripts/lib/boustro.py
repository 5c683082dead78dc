"""Runs the program that is counted, and reads what it answers."""

import pathlib
import re
import resource
import signal
import subprocess
import tempfile
import xml.etree.ElementTree

from lib.rows import Row, folder_of


def limit_memory(gigabytes):
    """Of this process and all that it starts."""
    _, most = resource.getrlimit(resource.RLIMIT_AS)
    wanted = gigabytes << 30
    if most == resource.RLIM_INFINITY or wanted < most:
        resource.setrlimit(resource.RLIMIT_AS, (wanted, wanted))


def execute(args, *command):
    """Exit code, or "timeout", and output."""
    return outcome_of([args.boustro, *command], args.timeout, args.timeout)


def execute_for(args, processor_seconds, *command):
    """The same, limited by processor time: a busy machine is no fault of the program's."""
    limited = ["prlimit", f"--cpu={processor_seconds}", args.boustro, *command]
    return outcome_of(limited, processor_seconds, 20 * processor_seconds)


def outcome_of(command, limit, patience):
    try:
        done = subprocess.run(command, capture_output=True, timeout=patience)
    except subprocess.TimeoutExpired:
        return "timeout", f"takes longer than {limit} s"
    if done.returncode in (-signal.SIGXCPU, -signal.SIGKILL):
        return "timeout", f"takes longer than {limit} s"
    return done.returncode, (done.stdout + done.stderr).decode(errors="replace")


def message_ids(output):
    return re.findall(r"(?:error|unsupported):.*\[([a-z-]+)\]$", output, re.M)


def last_reason(output):
    """What went wrong, in one line, without the place."""
    lines = [line.strip() for line in output.splitlines() if line.strip()]
    errors = [line for line in lines if re.search(r"(error|unsupported): ", line)] or lines
    return re.sub(r"^(\S+:\d+:\d+: )(error: )?", "", errors[0]) if errors else ""


def test(args, root, files, target, *options):
    """A row for each run of the programs' test blocks."""
    if not files:
        return []
    with tempfile.NamedTemporaryFile(suffix=".xml") as report:
        subprocess.run([args.boustro, "test", f"--target={target}", "--include", root, "--jobs", str(args.jobs), "--timeout",
                        str(args.timeout), "--junit", report.name, *options, *files], stdout=subprocess.DEVNULL)
        return [judge_run(root, case) for case in xml.etree.ElementTree.parse(report.name).iter("testcase")]


def judge_run(root, case):
    relative = pathlib.Path(case.get("classname")).relative_to(root)
    failure, skipped = case.find("failure"), case.find("skipped")
    name = f"{relative} {' '.join(case.get('name').split())}"
    expects = {p.get("name"): p.get("value") for p in case.iter("property")}.get("expects", "success")
    kind = "only run" if expects == "success" else "run"
    if failure is None and skipped is None:
        return Row(folder_of(relative), kind, name, "ok")
    message = (skipped if failure is None else failure).get("message")
    if "No such file" in message:
        message = "the data are not in the repository"
    apart = failure is None or "[recursion]" in message or "the data are not" in message
    return Row(folder_of(relative), kind, name, "apart" if apart else "wrong", last_reason(message))

"""Stands in for the harness of GradBench: passes each message of an eval to a tool and each answer back, prints a line for each, and
writes them all down if it is told where to, in the harness's form."""
import json
import statistics
import subprocess
import time


def run(eval_command, tool_command, folder, log=None):
    """Whether the eval and the tool ended well, the tool answered all that it was asked, and the eval found every answer valid."""
    pipes = {"stdin": subprocess.PIPE, "stdout": subprocess.PIPE, "text": True, "cwd": folder}
    with subprocess.Popen(eval_command, **pipes) as asking, subprocess.Popen(tool_command, **pipes) as answering:
        session = Session(open(log, "w") if log else None)
        for message in asking.stdout:
            answer = exchange(answering, message)
            session.add(json.loads(message), json.loads(answer) if answer else None, message, answer)
            if not answer:
                asking.kill()
                break
            asking.stdin.write(answer)
            asking.stdin.flush()
        answering.stdin.close()
    return session.well and asking.returncode == 0 and answering.returncode == 0


def exchange(process, message):
    """The answer, empty if the process has ended."""
    try:
        process.stdin.write(message)
        process.stdin.flush()
        return process.stdout.readline()
    except BrokenPipeError:
        return ""


class Session:
    def __init__(self, log):
        self.log, self.start, self.well, self.asked = log, time.monotonic_ns(), True, ""

    def add(self, message, answer, message_text, answer_text):
        self.write("message", message_text)
        if answer is None:
            print("the tool has ended")
            self.well = False
            return
        self.write("response", answer_text)
        kind = message["kind"]
        if kind == "evaluate":
            self.asked = f"{message['module'] + '::' + message['function']:22} {message.get('description', ''):22} {times(answer)}"
        elif kind == "define":
            self.asked = f"define {message['module']:38} {times(answer)}"
            if answer.get("success"):
                print(self.asked, flush=True)
        if kind == "analysis":
            self.conclude(self.asked + (" valid" if message["valid"] else " INVALID\n" + message.get("error", "")), message["valid"])
        elif not answer.get("success", True):
            self.conclude(f"{self.asked} FAILED\n{answer.get('error', '')}", False)

    def conclude(self, line, well):
        print(line, flush=True)
        self.well = self.well and well

    def write(self, kind, text):
        if self.log:
            elapsed = json.dumps({"nanoseconds": time.monotonic_ns() - self.start})
            print(f'{{ "elapsed": {elapsed}, "{kind}": {text.strip()} }}', file=self.log, flush=True)


def times(answer):
    """The mean of the timings of each name, and how many there are."""
    by_name = {}
    for timing in answer.get("timings") or []:
        by_name.setdefault(timing["name"], []).append(timing["nanoseconds"])
    return ", ".join(f"{statistics.mean(values) / 1e6:12.4f} ms {name} x {len(values)}" for name, values in by_name.items())

"""play.py FILE: an eval that sends the messages in FILE one by one, and waits for the answer to each."""
import sys

for line in open(sys.argv[1]):
    print(line, end="", flush=True)
    if not sys.stdin.readline():
        sys.exit("no answer")

"""Makes a text smaller, line by line, while something about it stays true."""


def shrink(lines, still_true, most=200):
    """`still_true` is asked at most so many times; what it is asked about has fewer lines, or one that is shorter."""
    asked = 0
    size = max(1, len(lines) // 2)
    while size >= 1:
        position = 0
        while position < len(lines):
            if asked == most:
                return lines
            asked += 1
            candidate = lines[:position] + lines[position + size:]
            if still_true(candidate):
                lines = candidate
            else:
                position += size
        size = size // 2
    return lines

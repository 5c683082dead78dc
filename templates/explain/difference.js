// Which lines differ between two texts. Lines are numbers: equal lines have equal ones.

/** [{sign: " " | "-" | "+", line}, ..]: the longest common subsequence stays. */
function difference(before, after) {
  let begin = 0, end = 0;
  while (begin < before.length && begin < after.length && before[begin] === after[begin]) ++begin;
  while (end < before.length - begin && end < after.length - begin && before[before.length - 1 - end] === after[after.length - 1 - end]) ++end;
  const same = (lines) => lines.map((line) => ({ sign: " ", line }));
  return [
    ...same(after.slice(0, begin)),
    ...middle(before.slice(begin, before.length - end), after.slice(begin, after.length - end)),
    ...same(after.slice(after.length - end)),
  ];
}

function middle(before, after) {
  const width = after.length + 1;
  const longest = new Uint16Array((before.length + 1) * width);  // of what is left of both from there on
  for (let i = before.length - 1; i >= 0; --i)
    for (let j = after.length - 1; j >= 0; --j)
      longest[i * width + j] = before[i] === after[j] ? longest[(i + 1) * width + j + 1] + 1 : Math.max(longest[(i + 1) * width + j], longest[i * width + j + 1]);
  const result = [];
  let i = 0, j = 0;
  while (i < before.length || j < after.length) {
    if (i < before.length && j < after.length && before[i] === after[j]) result.push({ sign: " ", line: after[j] }), ++i, ++j;
    else if (j === after.length || (i < before.length && longest[(i + 1) * width + j] >= longest[i * width + j + 1])) result.push({ sign: "-", line: before[i++] });
    else result.push({ sign: "+", line: after[j++] });
  }
  return result;
}

/** Unchanged lines further than `context` from any change become {skipped: number}. */
function withoutFar(lines, context) {
  const near = new Array(lines.length).fill(false);
  lines.forEach(({ sign }, i) => {
    if (sign !== " ") near.fill(true, Math.max(0, i - context), i + context + 1);
  });
  const result = [];
  lines.forEach((line, i) => {
    if (near[i]) result.push(line);
    else if (result.at(-1)?.skipped) ++result.at(-1).skipped;
    else result.push({ skipped: 1 });
  });
  return result;
}

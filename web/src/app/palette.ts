/** Which entries a typed text finds. */

/** Every word of the text is somewhere in the label, in any order; case does not matter. */
export function matchesWords(label: string, text: string): boolean {
  const inLabel = label.toLocaleLowerCase();
  return text
    .toLocaleLowerCase()
    .split(/\s+/)
    .every((word) => inLabel.includes(word));
}

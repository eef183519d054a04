/** Prints a sentence that the facts show to be true. Throws if one of them is false. */
export function verify(sentence: string, facts: Record<string, boolean>, seen: unknown = ''): void {
  const wrong = Object.keys(facts).filter((name) => !facts[name])
  if (wrong.length > 0)
    throw new Error(
      `Not true: ${sentence} (${wrong.join(', ')})\n${typeof seen === 'string' ? seen : JSON.stringify(seen, null, 2)}`,
    )
  console.log(`ok: ${sentence}`)
}

/** Keeps an answer for a short time: the agent asks before every work item, and each question starts a process. */
export function rememberFor<T>(ms: number, ask: () => Promise<T>): () => Promise<T> {
  let known: { answer: Promise<T>; until: number } | undefined
  return () => {
    const now = performance.now()
    if (!known || known.until <= now) known = { answer: ask(), until: now + ms }
    return known.answer
  }
}

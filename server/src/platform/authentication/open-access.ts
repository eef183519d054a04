/** The right of a request that is still open. It was checked when the request began, and may have ended since. */
export type OpenAccess = {
  /** Throws 401 or 403 if the right has ended. */
  require(): Promise<void>
  /** The same, unless the last check is only moments ago: nearly all requests need no second one. */
  requireIfWaited(): Promise<void>
}

/** A request that has waited for longer, for its body or its turn, is checked again. */
const maxAgeMs = 2_000

export function openAccess(check: () => Promise<void>): OpenAccess {
  let checkedAt = performance.now()

  async function require(): Promise<void> {
    const start = performance.now()
    await check()
    checkedAt = start
  }

  return {
    require,
    async requireIfWaited() {
      if (performance.now() - checkedAt > maxAgeMs) await require()
    },
  }
}

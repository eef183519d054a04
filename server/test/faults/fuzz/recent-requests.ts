/** The last requests, to find out which of them delayed others. Times are those of the day. */
export type RecentRequests = {
  /** Returns a function to call at the end of the request. */
  begin(number: number, name: string): () => void
  /** The requests that were in progress between these times, the slowest first. */
  inProgress(from: number, until: number): { number: number; name: string; milliseconds: number }[]
}

const remembered = 4_096

export function openRecentRequests(): RecentRequests {
  const requests: { number: number; name: string; at: number; until: number }[] = []
  return {
    begin(number, name) {
      const request = { number, name, at: Date.now(), until: Number.POSITIVE_INFINITY }
      requests[number % remembered] = request
      return () => {
        request.until = Date.now()
      }
    },
    inProgress: (from, until) =>
      requests
        .filter((request) => request.at < until && request.until > from)
        .map(({ number, name, at, until: end }) => ({ number, name, milliseconds: Math.min(end, Date.now()) - at }))
        .toSorted((a, b) => b.milliseconds - a.milliseconds),
  }
}

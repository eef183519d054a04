/** The cursor of the next page from the `Link` header of a list, if more rows follow. */
export function nextCursorOf(response: Response): string | undefined {
  const [, address] = /<([^>]*)>;\s*rel="next"/.exec(response.headers.get('link') ?? '') ?? []
  if (!address) return undefined
  return new URL(address, response.url || location.origin).searchParams.get('cursor') ?? undefined
}

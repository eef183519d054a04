import type { Answer } from './answers.ts'

/** The cursor of the next page, which the `Link` header of a list contains. */
export function nextCursor({ headers }: Response): string | undefined {
  const address = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  // The address is relative to the service, and only its query matters.
  return (address && new URL(address, 'http://service').searchParams.get('cursor')) || undefined
}

/** All items of a list, page by page. A page is requested when the items before it were consumed. */
export async function* pagesOf<T>(
  load: (page: { cursor?: string }) => Promise<Answer<{ items: T[] }>>,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined
  do {
    const { data, response } = await load(cursor === undefined ? {} : { cursor })
    yield* data?.items ?? []
    cursor = nextCursor(response)
  } while (cursor !== undefined)
}

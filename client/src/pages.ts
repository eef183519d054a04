import { parseUrl } from './address.ts'
import type { Answer } from './answers.ts'
import { MusterProblem } from './problem.ts'

/** No list is longer: with the pages of this client, that would be ten million items. */
const maxListPages = 10_000

/** The cursor of the next page, which the `Link` header of a list contains. */
export function nextCursor({ headers }: Response): string | undefined {
  const address = /<([^>]+)>; rel="next"/.exec(headers.get('link') ?? '')?.[1]
  // The address is relative to the service, and only its query matters.
  return (address && parseUrl(address, 'http://service')?.searchParams.get('cursor')) || undefined
}

/**
 * All items of a list, page by page. A page is requested when the items before it were consumed. A list that does not end is an
 * error.
 */
export async function* pagesOf<T>(
  load: (page: { cursor?: string }) => Promise<Answer<{ items: T[] }>>,
  maxPages = maxListPages,
): AsyncGenerator<T, void, undefined> {
  let cursor: string | undefined
  for (let page = 0; page < maxPages; page++) {
    const { data, response } = await load(cursor === undefined ? {} : { cursor })
    if (!Array.isArray(data?.items)) throw invalid('The answer of the service is not a list.')
    yield* data.items
    const next = nextCursor(response)
    if (next === undefined) return
    if (next === cursor || data.items.length === 0) throw invalid('The pages of the list do not end.')
    cursor = next
  }
  throw invalid(`The list has more than ${maxPages} pages.`)
}

const invalid = (detail: string) => new MusterProblem({ code: 'InvalidAnswer', detail }, 200)

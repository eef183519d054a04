import { Outlet, useMatches, useSearchParams } from 'react-router'
import { UnknownFilter } from '../components/unknown-filter.ts'
import { UnknownFilterPage } from './unknown-filter-page.tsx'

/** What a route says about its page. */
export type PageHandle = { filtersOf: (tab: string | undefined) => readonly string[] }

/** Every list may have a position. */
const ofEveryPage = ['skip']

/** Refuses addresses with filters that their page does not have: it would ignore them and show more than was asked for. */
export function KnownFilters() {
  const [params] = useSearchParams()
  const page = useMatches().at(-1)
  const known = (page?.handle as PageHandle | undefined)?.filtersOf(page?.params.tab)
  const unknown = [...params].find(([name]) => known && ![...ofEveryPage, ...known].includes(name))
  return unknown ? <UnknownFilterPage error={new UnknownFilter(...unknown)} /> : <Outlet />
}

import { useMemo, useState } from 'react'
import type { RowId } from '../../components/virtual-table.tsx'
import { type ListAddress, toFilterQuery } from './list-address.ts'

const none: ReadonlySet<RowId> = new Set()

/** The selected computers. Other filters begin another selection: nobody acts on computers that are out of sight. */
export function useSelection(address: ListAddress) {
  const filters = JSON.stringify(toFilterQuery(address))
  const [kept, setKept] = useState({ filters, ids: none })
  const ids = kept.filters === filters ? kept.ids : none
  const list = useMemo(() => [...ids].map(Number), [ids])
  return { ids, list, change: (changed: ReadonlySet<RowId>) => setKept({ filters, ids: changed }) }
}

import type { WmiRow } from '../wmi/wmi.ts'
import { questions } from './questions.ts'
import type { WindowsSources } from './sources.ts'
import { byText, textOf } from './values.ts'

/** The maximum that the server accepts. */
const maxServices = 5000

export async function collectServices(sources: WindowsSources) {
  const rows = await sources.rows(questions.services)
  return rows && { items: toServices(rows) }
}

export function toServices(rows: readonly WmiRow[]) {
  const items = rows.flatMap((row) => {
    const name = textOf(row.Name)
    if (name === null) return []
    return {
      name,
      displayName: textOf(row.DisplayName),
      // `Start Pending` and similar have no space in the inventory, as for services of Linux.
      status: textOf(row.State, 50)?.replaceAll(' ', '') ?? 'Unknown',
      startMode: textOf(row.StartMode, 50),
      account: textOf(row.StartName, 50),
    }
  })
  return items.toSorted((a, b) => byText(a.name, b.name)).slice(0, maxServices)
}

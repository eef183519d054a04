import { Anchor } from '@mantine/core'
import { Link } from 'react-router'
import { useFormat } from '../texts/format.ts'
import { useTexts } from '../texts/texts.tsx'
import { ChartTable } from './chart-table.tsx'
import type { ChartPart } from './kinds.ts'

/** The name of a part, as a link to the list of what is counted. */
export function PartLabel({ part: { label, to } }: { part: ChartPart }) {
  return to === undefined ? (
    <span title={label}>{label}</span>
  ) : (
    <Anchor component={Link} to={to} title={label} c="var(--mantine-color-text)" fz="inherit">
      {label}
    </Anchor>
  )
}

export function PartsTable({ title, parts }: { title: string; parts: readonly ChartPart[] }) {
  const texts = useTexts().charts
  const format = useFormat()
  return (
    <ChartTable
      title={title}
      columns={[texts.name, texts.count]}
      rows={parts.map((part) => ({
        id: part.id,
        cells: [<PartLabel key="label" part={part} />, format.number(part.value)],
      }))}
    />
  )
}

import { Text } from '@mantine/core'
import type { PackageSummary } from '../../api/packages.ts'
import { DataAge } from '../../components/data-age.tsx'
import { useTexts } from '../../texts/texts.tsx'

type Counted = readonly Pick<PackageSummary, 'deploymentsCountedUtc'>[]

/** When packages of many computers were counted; undefined if all were counted for the answer. */
export const countedAt = (counted: Counted) =>
  counted.find(({ deploymentsCountedUtc }) => deploymentsCountedUtc)?.deploymentsCountedUtc ?? undefined

/** How old the results of packages with many computers are. The others are current. */
export function CountAge({ counted }: { counted: Counted }) {
  const { packages } = useTexts()
  const atUtc = countedAt(counted)
  if (!atUtc) return null
  return (
    <Text span size="xs" c="dimmed">
      {packages.largeCounts} <DataAge atUtc={atUtc} />
    </Text>
  )
}

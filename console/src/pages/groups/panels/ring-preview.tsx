import { Table } from '@mantine/core'
import type { components } from '../../../api/types.ts'
import { Moment } from '../../../components/moment.tsx'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'

type Ring = components['schemas']['RolloutRing']

/** What each ring would contain, create and download, and when it would end. */
export function RingPreview({ rings }: { rings: readonly Ring[] }) {
  const { groups } = useTexts()
  const format = useFormat()
  return (
    <Table.ScrollContainer minWidth={420} scrollAreaProps={{ viewportProps: { tabIndex: 0 } }}>
      <Table aria-label={groups.rings}>
        <Table.Thead>
          <Table.Tr>
            <Table.Th>{groups.ringColumn}</Table.Th>
            <Table.Th ta="right">{groups.computers}</Table.Th>
            <Table.Th ta="right">{groups.workItems}</Table.Th>
            <Table.Th ta="right">{groups.download}</Table.Th>
            <Table.Th>{groups.end}</Table.Th>
          </Table.Tr>
        </Table.Thead>
        <Table.Tbody>
          {rings.map((ring) => (
            <Table.Tr key={ring.ring}>
              <Table.Td className="breakable">{ring.name}</Table.Td>
              <Table.Td ta="right">{format.number(ring.computers.total)}</Table.Td>
              <Table.Td ta="right">{format.number(ring.plannedWorkItems)}</Table.Td>
              <Table.Td ta="right">{format.bytes(ring.plannedDownloadBytes)}</Table.Td>
              <Table.Td>
                <Moment at={ring.expectedEndUtc} />
              </Table.Td>
            </Table.Tr>
          ))}
        </Table.Tbody>
      </Table>
    </Table.ScrollContainer>
  )
}

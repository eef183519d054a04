import { Anchor } from '@mantine/core'
import { Fragment } from 'react'
import { Link } from 'react-router'
import { Facts } from '../../../../components/facts.tsx'
import { Moment } from '../../../../components/moment.tsx'
import { Section } from '../../../../components/section.tsx'
import { useFormat } from '../../../../texts/format.ts'
import { useTexts } from '../../../../texts/texts.tsx'
import type { ComputerPageData } from '../../computer-data.ts'

const emptyUuid = '00000000-0000-0000-0000-000000000000'

/** The computers from which the UUID does not distinguish this one. */
function SameUuid({ page }: { page: ComputerPageData }) {
  return page.sameUuid.map(({ id, hostname }, at) => (
    <Fragment key={id}>
      {at > 0 && ', '}
      <Anchor component={Link} to={`/computers/${id}`}>
        {hostname}
      </Anchor>
    </Fragment>
  ))
}

/** What the computer is. */
export function DeviceFacts({ page }: { page: ComputerPageData }) {
  const { facts, summary } = useTexts().computer
  const format = useFormat()
  const { computer, manufacturer, model, architecture, memoryMb, agentVersion, lastReboot } = page
  const custom = Object.entries(computer.custom).filter(([, value]) => value)
  return (
    <Section title={summary.device}>
      <Facts
        rows={[
          [facts.domain, computer.domain],
          [facts.model, [manufacturer, model].filter(Boolean).join(' ')],
          [facts.serialNumber, computer.serialNumber],
          [facts.inventoryId, computer.inventoryId],
          [facts.memory, memoryMb === null ? null : format.memory(memoryMb)],
          [facts.architecture, architecture],
          [facts.macAddress, computer.macAddress],
          [facts.uuid, computer.uuid === emptyUuid ? null : computer.uuid],
          [facts.sameUuid, page.sameUuid.length > 0 ? <SameUuid key="same-uuid" page={page} /> : null],
          [facts.ou, computer.ou],
          [facts.agentVersion, agentVersion],
          [facts.lastRestart, lastReboot && <Moment key="restart" at={lastReboot} />],
          [
            facts.inventory,
            computer.inventoryDate ? <Moment key="scan" at={computer.inventoryDate} /> : summary.noInventory,
          ],
          ...custom,
        ]}
      />
    </Section>
  )
}

import { Anchor, Stack, Text } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { answerOf, api, type Schemas } from '../../../api/client.ts'
import type { Column } from '../../../components/data-table.tsx'
import { Facts } from '../../../components/facts.tsx'
import { LoadMore } from '../../../components/load-more.tsx'
import { Moment } from '../../../components/moment.tsx'
import { Section } from '../../../components/section.tsx'
import { StatusBadge } from '../../../components/status-badge.tsx'
import { useFilters } from '../../../components/use-filters.ts'
import { useFormat } from '../../../texts/format.ts'
import { usePatchPolicyTexts } from '../../../texts/patch-policy-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { ViewSwitch } from '../view-switch.tsx'
import { ExpandableTable } from '../why/expandable-table.tsx'
import { Why } from '../why/why.tsx'
import { PatchCompliance } from './patch-compliance.tsx'
import { PatchRuling, useRulings } from './patch-ruling.tsx'
import { TabContent } from './tab-content.tsx'
import { usePagedItems } from './use-paged-items.ts'

type Patch = Schemas['PatchDetail']

/** What the last patch scan found missing and installed. */
export function PatchesTab({ id }: { id: number }) {
  const { patches: texts, tabs } = useTexts().computer
  const { values, set } = useFilters(['status', 'why'], { status: ['Missing', 'Installed'] })
  const scanStatus = values.status || 'Missing'
  const columns = useColumns(id, scanStatus === 'Missing')
  const { query, items } = usePagedItems([...computerKey(id), 'patches', scanStatus], (page) =>
    answerOf(
      api.POST('/api/computer/{id}/patches-search', {
        params: { path: { id }, query: page },
        body: { scanStatus },
      }),
    ),
  )
  return (
    <Stack gap="md">
      <ScanStatus id={id} />
      <PatchCompliance id={id} />
      <ViewSwitch
        label={texts.filter}
        value={scanStatus}
        onChange={(status) => set({ status: status === 'Missing' ? '' : status })}
        options={[
          { value: 'Missing', label: texts.missing },
          { value: 'Installed', label: texts.installed },
        ]}
      />
      <TabContent query={{ ...query, data: items }}>
        {(rows) => (
          <ExpandableTable
            caption={tabs.patches}
            columns={columns}
            rows={rows}
            rowKey={({ patchId, productId }) => `${patchId}-${productId}`}
            openKey={values.why}
            onOpen={(why) => set({ why })}
            details={({ patchId }) => <Why id={id} subject={{ patchId }} />}
            empty={
              scanStatus === 'Missing'
                ? { title: texts.noneMissing, text: texts.noneMissingHint }
                : { title: texts.noneInstalled, text: texts.noneInstalledHint }
            }
            footer={<LoadMore query={query} />}
          />
        )}
      </TabContent>
    </Stack>
  )
}

function ScanStatus({ id }: { id: number }) {
  const { patches: texts } = useTexts().computer
  const format = useFormat()
  const query = useQuery({
    queryKey: [...computerKey(id), 'patch-status'],
    queryFn: () => answerOf(api.GET('/api/computer/{id}/patch-status', { params: { path: { id } } })),
  })
  const number = (count: number | null) => (count === null ? null : format.number(count))
  return (
    <Section title={texts.scan}>
      <TabContent query={query}>
        {(status) =>
          status.patchScanDate === null ? (
            <Text c="dimmed" size="sm">
              {texts.noScan}
            </Text>
          ) : (
            <Facts
              rows={[
                [texts.security, number(status.missingSecurityPatches)],
                [texts.others, number(status.missingNonSecurityPatches)],
                [texts.servicePacks, number(status.missingServicePacks)],
                [texts.scanned, <Moment key="scanned" at={status.patchScanDate} />],
                [texts.definitions, status.definitionVersion],
              ]}
            />
          )
        }
      </TabContent>
    </Section>
  )
}

/** Below the name: what keeps the patch from being installed here, and whether a restart follows. */
function Name({ patch: { patchName, qNumber, lockedBy, restartSuggested } }: { patch: Patch }) {
  const { patches: texts } = useTexts().computer
  const notes = [...(lockedBy ? [texts.locked(lockedBy)] : []), ...(restartSuggested ? [texts.restart] : [])]
  return (
    <>
      {patchName ?? qNumber}
      {notes.map((note) => (
        <Text key={note} c="dimmed" size="xs">
          {note}
        </Text>
      ))}
    </>
  )
}

const severities: Record<string, 'bad' | 'warning'> = { Critical: 'bad', Important: 'warning' }

function useColumns(id: number, areMissing: boolean): Column<Patch>[] {
  const { columns } = useTexts().computer.patches
  const { ruling: rulingTexts } = usePatchPolicyTexts()
  const format = useFormat()
  const rulingOf = useRulings(id)
  const ruling: Column<Patch> = {
    id: 'ruling',
    title: rulingTexts.column,
    width: 220,
    cell: (patch) => <PatchRuling ruling={rulingOf(patch)} />,
  }
  return [
    { id: 'name', title: columns.patch, cell: (patch) => <Name patch={patch} /> },
    {
      id: 'severity',
      title: columns.severity,
      width: 120,
      cell: ({ vendorSeverity }) =>
        vendorSeverity ? (
          <StatusBadge kind={severities[vendorSeverity] ?? 'neutral'}>{vendorSeverity}</StatusBadge>
        ) : (
          '–'
        ),
    },
    ...(areMissing ? [ruling] : []),
    { id: 'type', title: columns.type, width: 160, cell: ({ patchTypeName }) => patchTypeName },
    { id: 'cves', title: columns.cves, width: 170, cell: ({ cves }) => cves.join(', ') || '–' },
    {
      id: 'released',
      title: columns.released,
      width: 120,
      cell: ({ releaseDate }) => (releaseDate ? format.date(releaseDate) : '–'),
    },
    {
      id: 'page',
      title: columns.page,
      width: 110,
      cell: ({ patchId, qNumber }) => (
        <Anchor component={Link} to={`/patches/${patchId}`} fz="inherit">
          {qNumber ?? `#${patchId}`}
        </Anchor>
      ),
    },
  ]
}

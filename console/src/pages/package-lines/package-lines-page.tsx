import { Anchor, Button, Group, Stack, Text } from '@mantine/core'
import { keepPreviousData, useQuery } from '@tanstack/react-query'
import { Link } from 'react-router'
import { usePanels } from '../../actions/use-panels.ts'
import { answerOf, api } from '../../api/client.ts'
import type { PackageLine } from '../../api/package-lines.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { Page } from '../../components/page.tsx'
import { Pager } from '../../components/pager.tsx'
import { RefreshButton } from '../../components/refresh-button.tsx'
import { SearchField } from '../../components/search-field.tsx'
import { useFilters } from '../../components/use-filters.ts'
import { useLive } from '../../live/use-live.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useFormat } from '../../texts/format.ts'
import { usePackageLineTexts } from '../../texts/package-line-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { VersionState } from '../package/line/version-state.tsx'
import { CleanUpPanel } from './clean-up-panel.tsx'

const pageSize = 50

/** All package lines with their versions and what is proposed for them. */
export function PackageLinesPage() {
  const texts = usePackageLineTexts()
  const { common, packages } = useTexts()
  const filters = useFilters(['search'])
  const mayDelete = useHasRole('package.write')
  const { shown, open, onClose } = usePanels<'cleanUp'>()
  const query = {
    skip: filters.skip,
    top: pageSize,
    ...(filters.values.search && { nameContains: filters.values.search }),
  }
  const list = useQuery({
    queryKey: ['package-lines', query],
    queryFn: () => answerOf(api.GET('/api/package-lines', { params: { query } })),
    placeholderData: keepPreviousData,
  })
  useLive({ types: ['muster.package.*', 'muster.assignment.*'], refreshes: [['package-lines']] })
  return (
    <Page
      title={texts.title}
      intro={
        <Group gap="xs" mt={4}>
          <Anchor component={Link} to="/packages" size="sm">
            {packages.title}
          </Anchor>
          <Text size="sm" c="dimmed">
            {texts.intro}
          </Text>
        </Group>
      }
      actions={
        <>
          <RefreshButton {...list} />
          {mayDelete && (
            <Button variant="default" onClick={() => open('cleanUp', undefined)}>
              {texts.cleanUp.open}
            </Button>
          )}
        </>
      }
    >
      <SearchField
        label={texts.search}
        placeholder="7-Zip"
        value={filters.values.search}
        onSearch={(search) => filters.set({ search })}
      />
      <DataTable
        caption={texts.title}
        columns={useColumns()}
        rows={list.data?.items}
        rowKey={({ key, platform }) => JSON.stringify([key, platform])}
        error={list.error}
        onRetry={list.refetch}
        empty={
          filters.areSet
            ? { title: common.nothingFound, text: common.nothingFoundHint }
            : { title: texts.noLines, text: '' }
        }
        footer={
          <Pager skip={filters.skip} top={pageSize} total={list.data?.totalCount ?? 0} onSkip={filters.setSkip} />
        }
      />
      {shown && <CleanUpPanel key={shown.number} isOpen={shown.isOpen} onClose={onClose} />}
    </Page>
  )
}

function useColumns(): Column<PackageLine>[] {
  const texts = usePackageLineTexts()
  const format = useFormat()
  const { columns } = texts
  return [
    {
      id: 'line',
      title: columns.line,
      cell: ({ name, platform, versions: [newest] }) => (
        <Stack gap={0}>
          <Anchor component={Link} to={`/packages/${newest?.id}`} size="sm" fw={600} className="breakable">
            {name}
          </Anchor>
          <Text size="xs" c="dimmed">
            {texts.platforms[platform]}
          </Text>
        </Stack>
      ),
    },
    {
      id: 'versions',
      title: columns.version,
      cell: ({ versions }) => (
        <Stack gap={4}>
          {versions.map((version) => (
            <Group key={version.id} gap="xs">
              <Anchor component={Link} to={`/packages/${version.id}`} size="sm">
                {version.version ?? version.name}
              </Anchor>
              <VersionState {...version} />
              <Text size="xs" c="dimmed">
                {`${columns.groups}: ${format.number(version.groupCount)} · ${columns.installed}: ${format.number(version.installedCount)} · ${columns.pending}: ${format.number(version.pendingCount)} · ${format.bytes(version.sizeBytes)}`}
              </Text>
            </Group>
          ))}
        </Stack>
      ),
    },
    {
      id: 'proposal',
      title: columns.upgrade,
      width: 240,
      cell: ({ proposal }) =>
        proposal && (
          <Anchor component={Link} to={`/packages/${proposal.packageId}`} size="sm">
            {texts.proposed(proposal.version ?? '–', proposal.groupCount)}
          </Anchor>
        ),
    },
  ]
}

import { Alert, Anchor, Group, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import { answerOf, api, type Schemas } from '../../../api/client.ts'
import { type Column, DataTable } from '../../../components/data-table.tsx'
import { LoadMore } from '../../../components/load-more.tsx'
import { SbomButton } from '../../../components/sbom-button.tsx'
import { useFormat } from '../../../texts/format.ts'
import { useVulnerabilityTexts } from '../../../texts/vulnerability-texts.ts'
import { Remedy } from '../../vulnerabilities/remedy.tsx'
import { SeverityBadge } from '../../vulnerabilities/severity-badge.tsx'
import { computerKey } from '../computer-data.ts'
import { TabContent } from './tab-content.tsx'
import { usePagedItems } from './use-paged-items.ts'

type Finding = Schemas['ComputerVulnerability']
type Answer = Schemas['ComputerVulnerabilities']

/** The vulnerabilities of the software that the last inventory found. */
export function VulnerabilitiesTab({ id }: { id: number }) {
  const texts = useVulnerabilityTexts()
  const columns = useColumns()
  const { query, items } = usePagedItems([...computerKey(id), 'vulnerabilities'], (page) =>
    answerOf(api.GET('/api/computer/{id}/vulnerabilities', { params: { path: { id }, query: page } })),
  )
  const about = query.data?.pages.at(0) as Answer | undefined
  return (
    <TabContent query={{ ...query, data: items }}>
      {(rows) => (
        <Stack gap="md">
          <Group justify="space-between" gap="sm">
            {about && <Comparison about={about} />}
            <SbomButton address={`/api/computer/${id}/sbom`} />
          </Group>
          <DataTable
            caption={texts.list}
            columns={columns}
            rows={rows}
            rowKey={({ key }) => key}
            error={null}
            onRetry={query.refetch}
            empty={{ title: texts.ofComputer.none, text: about?.platform ? texts.ofComputer.noneHint : '' }}
            footer={<LoadMore query={query} />}
          />
        </Stack>
      )}
    </TabContent>
  )
}

/** How far the list can be relied on. */
function Comparison({ about }: { about: Answer }) {
  const { ofComputer: texts } = useVulnerabilityTexts()
  const { platform, comparedPackages, installedPackages, assumedPackages } = about
  if (platform === null) return <Alert color="yellow">{texts.notCompared}</Alert>
  return (
    <Text size="sm" c="dimmed">
      {texts.compared(comparedPackages, installedPackages, platform)}
      {assumedPackages > 0 && ` ${texts.assumed(assumedPackages)}`}
    </Text>
  )
}

function useColumns(): Column<Finding>[] {
  const texts = useVulnerabilityTexts()
  const format = useFormat()
  const { columns, packageColumns, computerColumns } = texts
  return [
    {
      id: 'key',
      title: columns.key,
      width: 170,
      cell: ({ key }) => (
        <Anchor component={Link} to={`/vulnerabilities/${encodeURIComponent(key)}`} fz="inherit">
          {key}
        </Anchor>
      ),
    },
    {
      id: 'severity',
      title: columns.severity,
      width: 110,
      cell: ({ severity }) => <SeverityBadge severity={severity} />,
    },
    {
      id: 'exploited',
      title: columns.exploited,
      width: 140,
      cell: ({ kevAddedOn }) => (kevAddedOn === null ? '–' : format.date(kevAddedOn)),
    },
    {
      id: 'software',
      title: packageColumns.software,
      cell: ({ packages }) =>
        packages.map((one) => (
          <Text key={`${one.productName} ${one.package} ${one.source}`} fz="inherit">
            {[one.productName, one.installedVersion].filter(Boolean).join(' ')}
          </Text>
        )),
    },
    {
      id: 'fixed',
      title: packageColumns.fixed,
      cell: ({ packages }) => [...new Set(packages.map(({ fixedVersion }) => fixedVersion ?? texts.noFix))].join(', '),
    },
    {
      id: 'remedy',
      title: texts.remedies.column,
      width: 200,
      cell: ({ remedy }) => <Remedy remedy={remedy} />,
    },
    {
      id: 'match',
      title: packageColumns.match,
      width: 170,
      cell: ({ packages }) => [...new Set(packages.map(({ match }) => texts.matches[match]))].join(', '),
    },
    {
      id: 'excepted',
      title: computerColumns.excepted,
      width: 130,
      cell: ({ isExcepted }) => (isExcepted ? texts.covered : '–'),
    },
  ]
}

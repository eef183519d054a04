import { Anchor, Stack, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { PackagePageData } from '../../api/packages.ts'
import { type Column, DataTable } from '../../components/data-table.tsx'
import { TitledTable } from '../../components/titled-table.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { CountAge } from '../packages/count-age.tsx'
import { DeploymentBar } from '../packages/deployment-bar.tsx'
import { ReleaseBadge } from '../packages/package-badges.tsx'

type Version = PackagePageData['versions'][number]

/** All packages with the same name, the latest first. */
export function PackageVersions({ versions, ownId }: { versions: Version[]; ownId: string }) {
  const { page, columns } = useTexts().packages
  const tableColumns: Column<Version>[] = [
    {
      id: 'version',
      title: columns.version,
      cell: ({ id, version, revision, os }) => (
        <Stack gap={0}>
          <VersionName
            id={id}
            name={[version, revision && `(${revision})`].filter(Boolean).join(' ')}
            isOwn={id === ownId}
          />
          <Text size="xs" c="dimmed">
            {os.join(', ')}
          </Text>
        </Stack>
      ),
    },
    { id: 'release', title: columns.release, width: 140, cell: (version) => <ReleaseBadge {...version} /> },
    {
      id: 'result',
      title: columns.result,
      width: 210,
      cell: ({ version, deployments }) => <DeploymentBar name={version ?? ''} deployments={deployments} />,
    },
  ]
  return (
    <TitledTable title={page.versions} hint={page.versionsHint} actions={<CountAge counted={versions} />}>
      <DataTable
        caption={page.versions}
        columns={tableColumns}
        rows={versions}
        rowKey={({ id }) => id}
        error={undefined}
        onRetry={() => undefined}
        empty={{ title: '', text: '' }}
      />
    </TitledTable>
  )
}

function VersionName({ id, name, isOwn }: { id: string; name: string; isOwn: boolean }) {
  const { page } = useTexts().packages
  if (isOwn)
    return (
      <Text size="sm" fw={600}>
        {name} · {page.thisVersion}
      </Text>
    )
  return (
    <Anchor component={Link} to={`/packages/${id}`} size="sm">
      {name}
    </Anchor>
  )
}

import { Anchor, Text } from '@mantine/core'
import { Link } from 'react-router'
import type { PackageSummary } from '../../api/packages.ts'
import type { Column } from '../../components/data-table.tsx'
import { textFor, useTexts } from '../../texts/texts.tsx'
import { DeploymentBar } from './deployment-bar.tsx'
import { HashBadge, ReleaseBadge, SignatureBadge } from './package-badges.tsx'

export function usePackageColumns(): Column<PackageSummary>[] {
  const { columns, kinds } = useTexts().packages
  return [
    {
      id: 'name',
      title: columns.name,
      cell: ({ id, name, version, packageName }) => (
        <div>
          <Anchor component={Link} to={`/packages/${id}`} fw={600} size="sm">
            {[name, version].filter(Boolean).join(' ')}
          </Anchor>
          {packageName && packageName !== name && (
            <Text size="xs" c="dimmed">
              {packageName}
            </Text>
          )}
        </div>
      ),
    },
    { id: 'kind', title: columns.kind, width: 140, cell: ({ kind }) => textFor(kinds, kind) ?? kind },
    { id: 'release', title: columns.release, width: 140, cell: (row) => <ReleaseBadge {...row} /> },
    { id: 'files', title: columns.files, width: 130, cell: (row) => <HashBadge {...row} /> },
    { id: 'signature', title: columns.signature, width: 150, cell: (row) => <SignatureBadge {...row} /> },
    {
      id: 'result',
      title: columns.result,
      width: 280,
      cell: ({ name, version, deployments }) => (
        <DeploymentBar name={[name, version].filter(Boolean).join(' ')} deployments={deployments} />
      ),
    },
  ]
}

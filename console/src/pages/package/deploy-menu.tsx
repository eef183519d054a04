import { Button, Menu } from '@mantine/core'
import { Link } from 'react-router'
import type { PackagePageData } from '../../api/packages.ts'
import { IconRocket } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'
import { toDeployment } from './assign-panel.tsx'

// More are found on the page of the groups.
const maxGroups = 15

/** Deploys the package to one of the groups that have it, on the page of the group. */
export function DeployMenu({ page: { package: found, groups } }: { page: PackagePageData }) {
  const { actions } = useTexts().packages
  const isOffered = useHasRole('activation.execute') && found.operational && groups.length > 0
  if (!isOffered) return null
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <Button leftSection={<IconRocket size={16} aria-hidden />}>{actions.deployTo}</Button>
      </Menu.Target>
      <Menu.Dropdown>
        {groups.slice(0, maxGroups).map(({ id, path }) => (
          <Menu.Item key={id} component={Link} to={toDeployment(id, found.id)} className="breakable">
            {path}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

import { ActionIcon, Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { usePanels } from '../../actions/use-panels.ts'
import { IconDots, IconPackage, IconRocket } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'
import { groupQuery } from './group-queries.ts'
import { AssignPanel } from './panels/assign-panel.tsx'
import { CreatePanel } from './panels/create-panel.tsx'
import { DeletePanel } from './panels/delete-panel.tsx'
import { DeployPanel } from './panels/deploy-panel.tsx'
import { EditPanel } from './panels/edit-panel.tsx'
import { MovePanel } from './panels/move-panel.tsx'

const panels = {
  deploy: DeployPanel,
  assign: AssignPanel,
  create: CreatePanel,
  edit: EditPanel,
  move: MovePanel,
  delete: DeletePanel,
}

type PanelName = keyof typeof panels

/** What can be done with the chosen group, as far as the person may. */
export function GroupActions({ id }: { id: string }) {
  const { groups } = useTexts()
  const [mayWrite, mayDeploy] = [useHasRole('group.write'), useHasRole('activation.execute')]
  const { data: page } = useQuery(groupQuery(id))
  const { shown, open, onClose } = usePanels<PanelName>()
  if (!page || (!mayWrite && !mayDeploy)) return null
  const isSpecial = page.kind === 'EOL' || page.kind === 'Restore'
  const isRoot = page.kind === 'System'
  const Panel = shown && panels[shown.name]
  const show = (name: PanelName) => open(name, undefined)
  return (
    <>
      {mayWrite && !isSpecial && (
        <Button variant="default" leftSection={<IconPackage size={16} aria-hidden />} onClick={() => show('assign')}>
          {groups.assign}
        </Button>
      )}
      {mayDeploy && (
        <Button leftSection={<IconRocket size={16} aria-hidden />} onClick={() => show('deploy')}>
          {groups.deploy}
        </Button>
      )}
      {mayWrite && !isSpecial && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size="lg" aria-label={groups.more}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            <Menu.Item onClick={() => show('create')}>{groups.create}</Menu.Item>
            {!isRoot && <Menu.Item onClick={() => show('edit')}>{groups.edit}</Menu.Item>}
            {!isRoot && <Menu.Item onClick={() => show('move')}>{groups.move}</Menu.Item>}
            {!isRoot && (
              <Menu.Item color="red" onClick={() => show('delete')}>
                {groups.delete}
              </Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      {Panel && <Panel key={shown.number} page={page} isOpen={shown.isOpen} onClose={onClose} />}
    </>
  )
}

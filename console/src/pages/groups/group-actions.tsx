import { ActionIcon, Button, Menu } from '@mantine/core'
import { useQuery } from '@tanstack/react-query'
import { useSearchParams } from 'react-router'
import { usePanels } from '../../actions/use-panels.ts'
import { IconDots, IconPackage, IconRocket } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useGroupObjectTexts } from '../../texts/group-object-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { type GroupPageData, groupQuery } from './group-queries.ts'
import { AssignObjectPanel } from './panels/assign-object-panel.tsx'
import { AssignPanel } from './panels/assign-panel.tsx'
import { CreatePanel } from './panels/create-panel.tsx'
import { DeletePanel } from './panels/delete-panel.tsx'
import { DeployPanel } from './panels/deploy-panel.tsx'
import { DepotsPanel } from './panels/depots-panel.tsx'
import { EditPanel } from './panels/edit-panel.tsx'
import { KindPanel } from './panels/kind-panel.tsx'
import { MovePanel } from './panels/move-panel.tsx'

const panels = {
  deploy: DeployPanel,
  assign: AssignPanel,
  assignObject: AssignObjectPanel,
  create: CreatePanel,
  edit: EditPanel,
  move: MovePanel,
  kind: KindPanel,
  depots: DepotsPanel,
  delete: DeletePanel,
}

type PanelName = keyof typeof panels

/** What can be done with the chosen group, as far as the person may. */
export function GroupActions({ id }: { id: string }) {
  const { groups } = useTexts()
  const objects = useGroupObjectTexts()
  const [mayWrite, mayDeploy] = [useHasRole('group.write'), useHasRole('activation.execute')]
  const [mayReadPackages, mayReadComputers] = [useHasRole('package.read'), useHasRole('computer.read')]
  const { data: page } = useQuery(groupQuery(id))
  const { shown, open, onClose } = usePanels<PanelName>()
  if (!page || (!mayWrite && !mayDeploy)) return null
  const isSpecial = page.kind === 'EOL' || page.kind === 'Restore'
  const isRoot = page.kind === 'System'
  const Panel = shown && panels[shown.name]
  const show = (name: PanelName) => open(name, undefined)
  const items: { name: PanelName; label: string; isOffered: boolean }[] = [
    { name: 'create', label: groups.create, isOffered: !isSpecial },
    { name: 'assignObject', label: objects.assign, isOffered: !isSpecial && mayReadPackages },
    { name: 'depots', label: objects.depots, isOffered: !isSpecial && mayReadComputers },
    { name: 'edit', label: groups.edit, isOffered: !isSpecial && !isRoot },
    { name: 'move', label: groups.move, isOffered: !isSpecial && !isRoot },
    { name: 'kind', label: objects.kind, isOffered: !isRoot },
    { name: 'delete', label: groups.delete, isOffered: !isSpecial && !isRoot },
  ]
  const offered = items.filter(({ isOffered }) => isOffered)
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
      {mayWrite && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" size="lg" aria-label={groups.more}>
              <IconDots size={18} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {offered.map(({ name, label }) => (
              <Menu.Item key={name} {...(name === 'delete' && { color: 'red' })} onClick={() => show(name)}>
                {label}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
      {Panel && <Panel key={shown.number} page={page} isOpen={shown.isOpen} onClose={onClose} />}
      {mayDeploy && <AddressedDeployment page={page} />}
    </>
  )
}

/** The address may name a package to deploy, as that of the page of a package does. */
function AddressedDeployment({ page }: { page: GroupPageData }) {
  const [params, setParams] = useSearchParams()
  const packageId = params.get('deploy')
  if (packageId === null) return null
  const close = () =>
    setParams(
      (before) => {
        const after = new URLSearchParams(before)
        after.delete('deploy')
        return after
      },
      { replace: true, preventScrollReset: true },
    )
  return <DeployPanel page={page} packageId={packageId} isOpen onClose={close} />
}

import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { usePanels } from '../../actions/use-panels.ts'
import { IconDots, IconPlayerPlay } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useComputerRecordTexts } from '../../texts/computer-record-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { ActionPanelProps } from './actions/action-panel.ts'
import { DeletePanel } from './actions/delete-panel.tsx'
import { DeployPanel } from './actions/deploy-panel.tsx'
import { EditPanel } from './actions/edit-panel.tsx'
import { ReEnrolPanel } from './actions/re-enrol-panel.tsx'
import { ReinstallSystemPanel } from './actions/reinstall-system-panel.tsx'
import { RescanPanel } from './actions/rescan-panel.tsx'
import { RestartPanel } from './actions/restart-panel.tsx'
import { RevokeAgentPanel } from './actions/revoke-agent-panel.tsx'
import { TagsPanel } from './actions/tags-panel.tsx'
import type { ComputerPageData } from './computer-data.ts'

const panels = {
  deploy: DeployPanel,
  restart: RestartPanel,
  rescan: RescanPanel,
  edit: EditPanel,
  tags: TagsPanel,
  reinstallSystem: ReinstallSystemPanel,
  reEnrol: ReEnrolPanel,
  revokeAgent: RevokeAgentPanel,
  delete: DeletePanel,
} satisfies Record<string, (props: ActionPanelProps) => unknown>

type ActionName = keyof typeof panels

/** Those in the menu. */
type MoreName = Exclude<ActionName, 'deploy' | 'restart' | 'rescan'>

/** What the person may do with the computer. Everything is reviewed in a panel first. */
export function ComputerActions({ page }: { page: ComputerPageData }) {
  const { actions } = useTexts().computer
  const { shown, open, onClose } = usePanels<ActionName>()
  const show = (name: ActionName) => open(name, undefined)
  const mayActivate = useHasRole('activation.execute')
  const mayManage = useHasRole('admin.manage')
  const mayWrite = useHasRole('computer.write')
  const mayReadTags = useHasRole('package.read')
  const more: MoreName[] = [
    ...(mayWrite ? (['edit'] as const) : []),
    ...(mayWrite && mayReadTags ? (['tags'] as const) : []),
    ...(mayActivate ? (['reinstallSystem'] as const) : []),
    ...(mayManage ? (['reEnrol', 'revokeAgent'] as const) : []),
    ...(mayWrite ? (['delete'] as const) : []),
  ]
  const Panel = shown && panels[shown.name]
  return (
    <Group gap="xs">
      {mayActivate && (
        <Button onClick={() => show('deploy')} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
          {actions.deploy.label}
        </Button>
      )}
      {useHasRole('reboot.execute') && (
        <Button variant="default" onClick={() => show('restart')}>
          {actions.restart.label}
        </Button>
      )}
      {useHasRole('scan.execute') && (
        <Button variant="default" onClick={() => show('rescan')}>
          {actions.rescan.label}
        </Button>
      )}
      {more.length > 0 && <MoreActions names={more} onOpen={show} />}
      {Panel && <Panel key={shown.number} page={page} isOpen={shown.isOpen} onClose={onClose} />}
    </Group>
  )
}

function MoreActions({ names, onOpen }: { names: readonly MoreName[]; onOpen: (name: MoreName) => void }) {
  const { actions } = useTexts().computer
  const { edit, tags, revoke: revokeAgent } = useComputerRecordTexts()
  const { reinstallSystem, reEnrol, delete: remove } = actions
  const labelOf: Record<MoreName, string> = {
    edit,
    tags,
    reinstallSystem: reinstallSystem.label,
    reEnrol: reEnrol.label,
    revokeAgent,
    delete: remove.label,
  }
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={actions.more}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {names.map((name) => (
          <Menu.Item
            key={name}
            {...((name === 'delete' || name === 'revokeAgent') && { color: 'red' })}
            onClick={() => onOpen(name)}
          >
            {labelOf[name]}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

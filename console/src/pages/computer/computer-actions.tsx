import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useState } from 'react'
import { IconDots, IconPlayerPlay } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'
import type { ActionPanelProps } from './actions/action-panel.ts'
import { DeletePanel } from './actions/delete-panel.tsx'
import { DeployPanel } from './actions/deploy-panel.tsx'
import { ReEnrolPanel } from './actions/re-enrol-panel.tsx'
import { ReinstallSystemPanel } from './actions/reinstall-system-panel.tsx'
import { RescanPanel } from './actions/rescan-panel.tsx'
import { RestartPanel } from './actions/restart-panel.tsx'
import type { ComputerPageData } from './computer-data.ts'

const panels = {
  deploy: DeployPanel,
  restart: RestartPanel,
  rescan: RescanPanel,
  reinstallSystem: ReinstallSystemPanel,
  reEnrol: ReEnrolPanel,
  delete: DeletePanel,
} satisfies Record<string, (props: ActionPanelProps) => unknown>

type ActionName = keyof typeof panels

/** What the person may do with the computer. Everything is reviewed in a panel first. */
export function ComputerActions({ page }: { page: ComputerPageData }) {
  const { actions } = useTexts().computer
  const [opened, setOpened] = useState<ActionName>()
  const mayActivate = useHasRole('activation.execute')
  const mayManage = useHasRole('admin.manage')
  const mayWrite = useHasRole('computer.write')
  const more: ActionName[] = [
    ...(mayActivate ? (['reinstallSystem'] as const) : []),
    ...(mayManage ? (['reEnrol'] as const) : []),
    ...(mayWrite ? (['delete'] as const) : []),
  ]
  return (
    <Group gap="xs">
      {mayActivate && (
        <Button onClick={() => setOpened('deploy')} leftSection={<IconPlayerPlay size={16} aria-hidden />}>
          {actions.deploy.label}
        </Button>
      )}
      {useHasRole('reboot.execute') && (
        <Button variant="default" onClick={() => setOpened('restart')}>
          {actions.restart.label}
        </Button>
      )}
      {useHasRole('scan.execute') && (
        <Button variant="default" onClick={() => setOpened('rescan')}>
          {actions.rescan.label}
        </Button>
      )}
      {more.length > 0 && <MoreActions names={more} onOpen={setOpened} />}
      {Object.entries(panels).map(([name, Panel]) => (
        <Panel key={name} page={page} isOpen={opened === name} onClose={() => setOpened(undefined)} />
      ))}
    </Group>
  )
}

function MoreActions({ names, onOpen }: { names: readonly ActionName[]; onOpen: (name: ActionName) => void }) {
  const { actions } = useTexts().computer
  return (
    <Menu position="bottom-end" withinPortal>
      <Menu.Target>
        <ActionIcon variant="default" size={36} aria-label={actions.more}>
          <IconDots size={18} aria-hidden />
        </ActionIcon>
      </Menu.Target>
      <Menu.Dropdown>
        {names.map((name) => (
          <Menu.Item key={name} {...(name === 'delete' && { color: 'red' })} onClick={() => onOpen(name)}>
            {actions[name].label}
          </Menu.Item>
        ))}
      </Menu.Dropdown>
    </Menu>
  )
}

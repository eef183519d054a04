import { ActionIcon, Button, Group, Menu, Paper, Text } from '@mantine/core'
import { type ComponentType, useState } from 'react'
import { IconDots } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { type SelectionTexts, useSelectionTexts } from '../../texts/selection-texts.ts'
import { type Texts, useTexts } from '../../texts/texts.tsx'
import { AddToGroup } from './actions/add-to-group.tsx'
import { DeleteComputers } from './actions/delete-computers.tsx'
import { Deploy } from './actions/deploy.tsx'
import { InstallPackage } from './actions/install-package.tsx'
import type { ActionPanelProps } from './actions/panel-props.ts'
import { RemoveFromGroup } from './actions/remove-from-group.tsx'
import { Rescan } from './actions/rescan.tsx'
import { Restart } from './actions/restart.tsx'
import { UninstallPackage } from './actions/uninstall-package.tsx'
import classes from './computers.module.css'

type SelectionBarProps = {
  ids: readonly number[]
  /** All computers that meet the filters. */
  total: number
  selectAll: (onRead: (rows: number) => void) => Promise<void>
  clear: () => void
}

const panels = {
  deploy: Deploy,
  install: InstallPackage,
  uninstall: UninstallPackage,
  restart: Restart,
  rescan: Rescan,
  addToGroup: AddToGroup,
  removeFromGroup: RemoveFromGroup,
  remove: DeleteComputers,
} satisfies Record<string, ComponentType<ActionPanelProps>>

type PanelName = keyof typeof panels

const names = Object.keys(panels) as PanelName[]

/** What is used less often, or cannot be taken back. */
const inMenu: readonly PanelName[] = ['addToGroup', 'removeFromGroup', 'remove']

/** What can be done with the selected computers. Actions that the person may not carry out are not offered. */
export function SelectionBar({ ids, total, selectAll, clear }: SelectionBarProps) {
  const { computers: texts } = useTexts()
  const [open, setOpen] = useState<PanelName>()
  const offered = useOfferedActions()
  return (
    <Paper component="section" withBorder p="xs" className={classes.selection} aria-label={texts.selection.title}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600} role="status">
            {texts.selection.selected(ids.length)}
          </Text>
          {ids.length < total && <SelectAllButton total={total} selectAll={selectAll} />}
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {texts.selection.clear}
          </Button>
        </Group>
        <ActionButtons offered={offered} onOpen={setOpen} />
      </Group>
      {offered.map((name) => {
        const Panel = panels[name]
        return <Panel key={name} ids={ids} isOpen={open === name} onClose={() => setOpen(undefined)} clear={clear} />
      })}
    </Paper>
  )
}

function useOfferedActions(): PanelName[] {
  const mayDeploy = useHasRole('activation.execute')
  const mayChangeGroups = useHasRole('group.write')
  const mayReadGroups = useHasRole('group.read')
  const mayReadPackages = useHasRole('package.read')
  const allowed: Record<PanelName, boolean> = {
    deploy: mayDeploy,
    install: mayDeploy && mayChangeGroups && mayReadPackages,
    uninstall: mayDeploy && mayReadPackages,
    restart: useHasRole('reboot.execute'),
    rescan: useHasRole('scan.execute'),
    addToGroup: mayChangeGroups && mayReadGroups,
    removeFromGroup: mayChangeGroups && mayReadGroups,
    remove: useHasRole('computer.write'),
  }
  return names.filter((name) => allowed[name])
}

const labelOf = (name: PanelName, { computers }: Texts, selection: SelectionTexts): string =>
  name === 'install' || name === 'uninstall' || name === 'remove' ? selection[name].open : computers.actions[name]

type ActionButtonsProps = { offered: readonly PanelName[]; onOpen: (name: PanelName) => void }

function ActionButtons({ offered, onOpen }: ActionButtonsProps) {
  const texts = useTexts()
  const selection = useSelectionTexts()
  const more = offered.filter((name) => inMenu.includes(name))
  return (
    <Group gap="xs">
      {offered
        .filter((name) => !inMenu.includes(name))
        .map((name) => (
          <Button key={name} size="compact-sm" variant="light" onClick={() => onOpen(name)}>
            {labelOf(name, texts, selection)}
          </Button>
        ))}
      {more.length > 0 && (
        <Menu position="top-end" withinPortal>
          <Menu.Target>
            <ActionIcon variant="light" size={26} aria-label={selection.more}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {more.map((name) => (
              <Menu.Item key={name} {...(name === 'remove' && { color: 'red' })} onClick={() => onOpen(name)}>
                {labelOf(name, texts, selection)}
              </Menu.Item>
            ))}
          </Menu.Dropdown>
        </Menu>
      )}
    </Group>
  )
}

type SelectAllButtonProps = Pick<SelectionBarProps, 'total' | 'selectAll'>

function SelectAllButton({ total, selectAll }: SelectAllButtonProps) {
  const { computers: texts } = useTexts()
  const [read, setRead] = useState<number>()
  const [hasFailed, setHasFailed] = useState(false)
  const run = async () => {
    setHasFailed(false)
    setRead(0)
    await selectAll(setRead).catch(() => setHasFailed(true))
    setRead(undefined)
  }
  if (read !== undefined)
    return (
      <Text size="sm" c="dimmed" role="status">
        {texts.selection.reading(read, total)}
      </Text>
    )
  return (
    <>
      <Button variant="subtle" size="compact-sm" onClick={() => void run()}>
        {texts.selection.selectAll(total)}
      </Button>
      {hasFailed && (
        <Text size="sm" c="red" role="alert">
          {texts.selection.readFailed}
        </Text>
      )}
    </>
  )
}

import { Button, Group, Paper, Text } from '@mantine/core'
import { useState } from 'react'
import { useHasRole } from '../../shell/session-context.ts'
import { useTexts } from '../../texts/texts.tsx'
import { AddToGroup } from './actions/add-to-group.tsx'
import { Deploy } from './actions/deploy.tsx'
import { RemoveFromGroup } from './actions/remove-from-group.tsx'
import { Rescan } from './actions/rescan.tsx'
import { Restart } from './actions/restart.tsx'
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
  rescan: Rescan,
  restart: Restart,
  addToGroup: AddToGroup,
  removeFromGroup: RemoveFromGroup,
}
type PanelName = keyof typeof panels

/** What can be done with the selected computers. Actions that the person may not carry out are not offered. */
export function SelectionBar({ ids, total, selectAll, clear }: SelectionBarProps) {
  const { computers: texts } = useTexts()
  const [open, setOpen] = useState<PanelName>()
  const allowed: Record<PanelName, boolean> = {
    deploy: useHasRole('activation.execute'),
    rescan: useHasRole('scan.execute'),
    restart: useHasRole('reboot.execute'),
    addToGroup: useHasRole('group.write'),
    removeFromGroup: useHasRole('group.write'),
  }
  const offered = (Object.keys(panels) as PanelName[]).filter((name) => allowed[name])
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
        <Group gap="xs">
          {offered.map((name) => (
            <Button key={name} size="compact-sm" variant="light" onClick={() => setOpen(name)}>
              {texts.actions[name]}
            </Button>
          ))}
        </Group>
      </Group>
      {offered.map((name) => {
        const Panel = panels[name]
        return <Panel key={name} ids={ids} isOpen={open === name} onClose={() => setOpen(undefined)} />
      })}
    </Paper>
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

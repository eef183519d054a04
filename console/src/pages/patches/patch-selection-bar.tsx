import { Button, Group, Paper, Text } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { usePatchTexts } from '../../texts/patch-texts.ts'
import { useTexts } from '../../texts/texts.tsx'
import { ApprovePanel } from './approve-panel.tsx'
import classes from './patches.module.css'

type PatchSelectionBarProps = { ids: readonly number[]; clear: () => void }

/** What can be done with the selected patches. */
export function PatchSelectionBar({ ids, clear }: PatchSelectionBarProps) {
  const { selection } = usePatchTexts()
  const { computers } = useTexts()
  const [isOpen, panel] = useDisclosure()
  return (
    <Paper component="section" withBorder p="xs" className={classes.selection} aria-label={selection.title}>
      <Group justify="space-between" gap="xs">
        <Group gap="xs">
          <Text size="sm" fw={600} role="status">
            {selection.selected(ids.length)}
          </Text>
          <Button variant="subtle" size="compact-sm" onClick={clear}>
            {computers.selection.clear}
          </Button>
        </Group>
        <Button size="compact-sm" onClick={panel.open}>
          {selection.approve}
        </Button>
      </Group>
      <ApprovePanel patchIds={ids} isOpen={isOpen} onClose={panel.close} onApproved={clear} />
    </Paper>
  )
}

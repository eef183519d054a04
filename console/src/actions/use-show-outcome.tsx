import { Button, Group, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { type QueryKey, useQueryClient } from '@tanstack/react-query'
import { ProblemLine } from '../components/problem-view.tsx'
import { useTexts } from '../texts/texts.tsx'
import type { Outcome } from './reviewed-action.ts'

// Longer than usual: somebody who sees a mistake needs time to reach the button.
const undoMilliseconds = 20_000

/** Returns what shows the outcome of an action, with a button that undoes it where that is possible. */
export function useShowOutcome() {
  const { common } = useTexts()
  const queryClient = useQueryClient()
  return ({ text, undo }: Outcome, refreshes: readonly QueryKey[] = []) => {
    const closeButtonProps = { 'aria-label': common.close }
    if (!undo) return notifications.show({ message: text, color: 'green', closeButtonProps })
    const id = crypto.getRandomValues(new Uint32Array(2)).join('-')
    const takeBack = async () => {
      notifications.hide(id)
      await undo.run().then(
        () => notifications.show({ message: undo.done, color: 'green', closeButtonProps }),
        (error) =>
          notifications.show({
            message: <ProblemLine error={error} />,
            color: 'red',
            autoClose: false,
            closeButtonProps,
          }),
      )
      for (const queryKey of refreshes) void queryClient.invalidateQueries({ queryKey })
    }
    const message = (
      <Group justify="space-between" wrap="nowrap">
        <Text size="sm">{text}</Text>
        <Button size="compact-sm" variant="default" onClick={() => void takeBack()}>
          {undo.label}
        </Button>
      </Group>
    )
    return notifications.show({ id, message, color: 'green', autoClose: undoMilliseconds, closeButtonProps })
  }
}

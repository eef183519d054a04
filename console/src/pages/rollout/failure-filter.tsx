import { Button } from '@mantine/core'
import { readableCause } from '@muster/text'
import { IconX } from '../../components/icons.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import type { useFailureFilter } from './use-failure-filter.ts'

/** The failure by which a list is filtered. A click shows the whole list again. */
export function FailureFilter({ exitCode, cause, isSet, clear }: ReturnType<typeof useFailureFilter>) {
  const { failures } = useRolloutTexts()
  if (!isSet) return null
  const name = [exitCode === null ? '' : failures.exitCode(exitCode), readableCause(cause)].filter(Boolean).join(' · ')
  return (
    <Button
      variant="light"
      color="red"
      maw="100%"
      rightSection={<IconX size={14} aria-hidden />}
      aria-label={failures.showAll(name)}
      title={name}
      onClick={clear}
    >
      {name}
    </Button>
  )
}

import { Button, Group, Textarea } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { type ComponentType, useState } from 'react'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { ReviewedAction } from '../../actions/reviewed-action.ts'
import { IconPlayerPause, IconPlayerPlay, IconPlayerSkipForward, IconRefresh, IconX } from '../../components/icons.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useHasRole } from '../../shell/session-context.ts'
import { useRolloutTexts } from '../../texts/rollout-texts.ts'
import { hasEnded, type Rollout } from './describe.ts'
import { type RolloutChanges, useRolloutChanges } from './use-rollout-changes.ts'

type RolloutActionsProps = { rollout: Rollout; etag: string }

/** What can be done with a rollout in its present state. */
export function RolloutActions({ rollout, etag }: RolloutActionsProps) {
  const { actions } = useRolloutTexts()
  const changes = useRolloutChanges(rollout, etag)
  if (!useHasRole('activation.execute') || hasEnded(rollout)) return null
  const isPaused = rollout.state === 'Paused'
  const hasNextRing = rollout.rings.some(({ state }) => state !== 'Done')
  return (
    <Group gap="xs">
      {isPaused ? (
        <ActionButton action={changes.resume} icon={IconPlayerPlay} isPrimary />
      ) : (
        <PauseButton changes={changes} label={actions.pause} />
      )}
      {hasNextRing && <ActionButton action={changes.advance} icon={IconPlayerSkipForward} />}
      {rollout.failedCount > 0 && <ActionButton action={changes.retry} icon={IconRefresh} />}
      <ActionButton action={changes.cancel} icon={IconX} isDangerous />
    </Group>
  )
}

type Icon = ComponentType<{ size: number; 'aria-hidden': boolean }>
type ActionButtonProps = { action: ReviewedAction<Rollout>; icon: Icon; isPrimary?: boolean; isDangerous?: boolean }

function ActionButton({ action, icon: Icon, isPrimary = false, isDangerous = false }: ActionButtonProps) {
  const [isOpen, panel] = useDisclosure()
  return (
    <>
      <Button
        variant={isPrimary ? 'filled' : 'default'}
        {...(isDangerous && { c: 'red' })}
        leftSection={<Icon size={16} aria-hidden />}
        onClick={panel.open}
      >
        {action.label}
      </Button>
      <ReviewPanel isOpen={isOpen} onClose={panel.close} action={action} />
    </>
  )
}

function PauseButton({ changes, label }: { changes: RolloutChanges; label: string }) {
  const { actions } = useRolloutTexts()
  const [isOpen, panel] = useDisclosure()
  const [reason, setReason] = useState('')
  const form = (
    <NamedField name="reason">
      <Textarea
        label={actions.reason}
        description={actions.reasonHint}
        maxLength={1000}
        value={reason}
        onChange={(event) => setReason(event.currentTarget.value)}
        data-autofocus
      />
    </NamedField>
  )
  return (
    <>
      <Button leftSection={<IconPlayerPause size={16} aria-hidden />} onClick={panel.open}>
        {label}
      </Button>
      <ReviewPanel isOpen={isOpen} onClose={panel.close} action={{ ...changes.pause(reason), form }} />
    </>
  )
}

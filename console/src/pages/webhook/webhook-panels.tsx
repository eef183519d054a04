import { Stack, TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { OtherChanges } from '../../actions/other-changes.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useEdited } from '../../actions/use-edited.ts'
import type { PanelProps } from '../../actions/use-panels.ts'
import { api, type Versioned } from '../../api/client.ts'
import { useTexts } from '../../texts/texts.tsx'
import { useWebhookTexts } from '../../texts/webhook-texts.ts'
import { WebhookFields } from '../webhooks/webhook-fields.tsx'
import { type Webhook, webhooksKey } from '../webhooks/webhooks.ts'

type WebhookPanelProps = PanelProps & { version: Versioned<Webhook>; onSecret: (secret: string) => void }

const refreshes = [webhooksKey]

export function EditPanel({ version, isOpen, onClose }: WebhookPanelProps) {
  const texts = useWebhookTexts()
  const { common } = useTexts()
  const { values, etag, typed, isChanged, others, type } = useEdited(version)
  const [settled] = useDebouncedValue(typed, 250)
  const { id, name } = version.value
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.editTitle(name),
        label: common.save,
        requestKey: { settled, etag },
        isComplete: isChanged && settled === typed,
        ...(etag && { etag }),
        form: values && (
          <Stack gap="sm">
            <OtherChanges changes={others} labels={texts.fields} />
            <WebhookFields values={values} onChange={type} />
          </Stack>
        ),
        send: ({ query: { dryRun }, headers }) =>
          api.PATCH('/api/webhooks/{id}', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
            body: typed,
          }),
        describe: () => texts.edits,
        done: () => ({ text: common.saved }),
        refreshes,
      }}
    />
  )
}

/** Pauses the webhook, or lets it continue: whichever the person chose, even if somebody else does the same meanwhile. */
export function PausePanel({ version, isOpen, onClose }: WebhookPanelProps) {
  const texts = useWebhookTexts()
  const { id, name } = version.value
  const [isPaused] = useState(!version.value.isPaused)
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: isPaused ? texts.pauseTitle(name) : texts.resumeTitle(name),
        label: isPaused ? texts.pause : texts.resume,
        requestKey: [isPaused, version.etag],
        etag: version.etag,
        send: ({ query: { dryRun }, headers }) =>
          api.PATCH('/api/webhooks/{id}', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
            body: { isPaused },
          }),
        describe: () => (isPaused ? texts.pauses : texts.resumes),
        done: () => ({ text: isPaused ? texts.paused : texts.resumed }),
        refreshes,
      }}
    />
  )
}

export function RotatePanel({ version, isOpen, onClose, onSecret }: WebhookPanelProps) {
  const texts = useWebhookTexts()
  const { id, name } = version.value
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.rotateTitle(name),
        label: texts.rotate,
        send: ({ query: { dryRun }, headers }) =>
          api.POST('/api/webhooks/{id}/secret', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
          }),
        describe: () => texts.rotates,
        done({ secret }) {
          onSecret(secret)
          return { text: texts.rotated }
        },
      }}
    />
  )
}

export function ReplayPanel({ version, isOpen, onClose }: WebhookPanelProps) {
  const texts = useWebhookTexts()
  const { id, name } = version.value
  const [after, setAfter] = useState('')
  const [settled] = useDebouncedValue(after, 250)
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.replayTitle(name),
        label: texts.replay,
        requestKey: settled,
        isComplete: /^\d+$/.test(after) && settled === after,
        form: (
          <TextInput
            data-autofocus
            required
            label={texts.replayAfter}
            description={texts.replayHint}
            inputMode="numeric"
            autoComplete="off"
            value={after}
            onChange={(event) => setAfter(event.currentTarget.value.trim())}
          />
        ),
        send: ({ query: { dryRun }, headers }) =>
          api.POST('/api/webhooks/{id}/replay', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
            body: { after },
          }),
        describe: () => texts.replays(after),
        done: () => ({ text: texts.replayed }),
        refreshes,
      }}
    />
  )
}

export function DeletePanel({ version, isOpen, onClose }: WebhookPanelProps) {
  const texts = useWebhookTexts()
  const { id, name } = version.value
  return (
    <ReviewPanel<unknown>
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: texts.deleteTitle(name),
        label: texts.delete,
        isSevere: true,
        requestKey: version.etag,
        etag: version.etag,
        send: ({ query: { dryRun }, headers }) =>
          api.DELETE('/api/webhooks/{id}', {
            params: { path: { id }, query: { ...(dryRun && { dryRun }) }, header: headers },
          }),
        describe: () => texts.deletes,
        done: () => ({ text: texts.deleted(name), to: '/admin/webhooks' }),
        refreshes,
      }}
    />
  )
}

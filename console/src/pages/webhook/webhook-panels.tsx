import { TextInput } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { DeleteReview } from '../../actions/delete-review.tsx'
import { EditReview } from '../../actions/edit-review.tsx'
import { PauseReview } from '../../actions/pause-review.tsx'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import type { PanelProps } from '../../actions/use-panels.ts'
import { api, type Versioned } from '../../api/client.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useWebhookTexts } from '../../texts/webhook-texts.ts'
import { WebhookFields } from '../webhooks/webhook-fields.tsx'
import { type Webhook, webhooksKey } from '../webhooks/webhooks.ts'

type WebhookPanelProps = PanelProps & { version: Versioned<Webhook>; onSecret: (secret: string) => void }

const refreshes = [webhooksKey]

export function EditPanel({ version, isOpen, onClose }: WebhookPanelProps) {
  const texts = useWebhookTexts()
  const { id, name } = version.value
  return (
    <EditReview
      isOpen={isOpen}
      onClose={onClose}
      version={version}
      title={texts.editTitle(name)}
      labels={texts.fields}
      fields={(values, type) => <WebhookFields values={values} onChange={type} />}
      send={({ uncounted: query, headers }, { typed }) =>
        api.PATCH('/api/webhooks/{id}', { params: { path: { id }, query, header: headers }, body: typed })
      }
      describe={() => texts.edits}
      refreshes={refreshes}
    />
  )
}

export function PausePanel({ version, isOpen, onClose }: WebhookPanelProps) {
  const texts = useWebhookTexts()
  return (
    <PauseReview
      isOpen={isOpen}
      onClose={onClose}
      version={version}
      texts={texts}
      send={({ uncounted: query, headers }, body) =>
        api.PATCH('/api/webhooks/{id}', { params: { path: { id: version.value.id }, query, header: headers }, body })
      }
      refreshes={refreshes}
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
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/webhooks/{id}/secret', {
            params: { path: { id }, query, header: headers },
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
          <NamedField name="after">
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
          </NamedField>
        ),
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/webhooks/{id}/replay', {
            params: { path: { id }, query, header: headers },
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
    <DeleteReview
      isOpen={isOpen}
      onClose={onClose}
      version={version}
      labels={texts.fields}
      title={texts.deleteTitle(name)}
      label={texts.delete}
      send={({ uncounted: query, headers }) =>
        api.DELETE('/api/webhooks/{id}', { params: { path: { id }, query, header: headers } })
      }
      describe={() => texts.deletes}
      done={() => ({ text: texts.deleted(name), to: '/admin/webhooks' })}
      refreshes={refreshes}
    />
  )
}

import { Button, NumberInput, Stack } from '@mantine/core'
import { useDebouncedValue } from '@mantine/hooks'
import { useState } from 'react'
import { useNavigate } from 'react-router'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { useAskedPanel } from '../../actions/use-asked-panel.ts'
import { type PanelProps, usePanels } from '../../actions/use-panels.ts'
import { api, type Schemas } from '../../api/client.ts'
import { IconPlus } from '../../components/icons.ts'
import { NamedField } from '../../components/named-field.tsx'
import { useWebhookTexts } from '../../texts/webhook-texts.ts'
import { WebhookFields } from './webhook-fields.tsx'
import { WebhookSecret } from './webhook-secret.tsx'
import { webhooksKey } from './webhooks.ts'

/** The button that creates a webhook, and shows its secret once. */
export function CreateWebhook() {
  const texts = useWebhookTexts()
  const navigate = useNavigate()
  const { shown, open, onClose } = usePanels<'create'>()
  useAskedPanel('newWebhook', () => open('create', undefined))
  const [created, setCreated] = useState<Schemas['CreatedWebhook']>()
  const leave = () => {
    if (created) void navigate(`/admin/webhooks/${created.id}`)
    setCreated(undefined)
  }
  return (
    <>
      <Button leftSection={<IconPlus size={16} aria-hidden />} onClick={() => open('create', undefined)}>
        {texts.create}
      </Button>
      {shown && <CreatePanel key={shown.number} isOpen={shown.isOpen} onClose={onClose} onCreated={setCreated} />}
      <WebhookSecret secret={created?.secret} onDone={leave} />
    </>
  )
}

type CreatePanelProps = PanelProps & { onCreated: (created: Schemas['CreatedWebhook']) => void }

function CreatePanel({ onCreated, ...panel }: CreatePanelProps) {
  const texts = useWebhookTexts()
  const [typed, setTyped] = useState({ name: '', url: '', types: [] as string[], computerId: '' as number | string })
  const [settled] = useDebouncedValue(typed, 250)
  const change = (changes: Partial<typeof typed>) => setTyped((before) => ({ ...before, ...changes }))
  const { name, url, types } = typed
  const computerId = typed.computerId === '' ? null : Number(typed.computerId)
  return (
    <ReviewPanel
      {...panel}
      action={{
        title: texts.create,
        label: texts.create,
        requestKey: settled,
        isComplete: name.trim() !== '' && url.trim() !== '' && settled === typed,
        form: (
          <Stack gap="sm">
            <WebhookFields values={typed} onChange={change} />
            <NamedField name="computerId">
              <NumberInput
                label={texts.fields.computerId}
                min={1}
                allowDecimal={false}
                value={typed.computerId}
                onChange={(value) => change({ computerId: value })}
              />
            </NamedField>
          </Stack>
        ),
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/webhooks', {
            params: { query, header: headers },
            body: { name, url: url.trim(), types, computerId },
          }),
        describe: ({ answer }) => texts.creates(answer.name),
        done(answer) {
          onCreated(answer)
          return { text: texts.created(answer.name) }
        },
        refreshes: [webhooksKey],
      }}
    />
  )
}

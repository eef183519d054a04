import { ActionIcon, Button, Menu } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useMutation, useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { usePanels } from '../../actions/use-panels.ts'
import { answerOf, api, type Versioned } from '../../api/client.ts'
import { IconDots } from '../../components/icons.ts'
import { ProblemLine } from '../../components/problem-view.tsx'
import { useTexts } from '../../texts/texts.tsx'
import { useWebhookTexts } from '../../texts/webhook-texts.ts'
import { WebhookSecret } from '../webhooks/webhook-secret.tsx'
import { type Webhook, webhooksKey } from '../webhooks/webhooks.ts'
import { DeletePanel, EditPanel, PausePanel, ReplayPanel, RotatePanel } from './webhook-panels.tsx'

type PanelName = 'edit' | 'pause' | 'rotate' | 'replay' | 'delete'

const panels = { edit: EditPanel, pause: PausePanel, rotate: RotatePanel, replay: ReplayPanel, delete: DeletePanel }

/** What can be done with a webhook. The page is for those who may do all of it. */
export function WebhookActions({ version }: { version: Versioned<Webhook> }) {
  const texts = useWebhookTexts()
  const { shown, open, onClose } = usePanels<PanelName>()
  const [secret, setSecret] = useState<string>()
  const show = (name: PanelName) => open(name, undefined)
  const Panel = shown && panels[shown.name]
  return (
    <>
      <TestButton id={version.value.id} />
      <Button variant="default" onClick={() => show('pause')}>
        {version.value.isPaused ? texts.resume : texts.pause}
      </Button>
      <Menu position="bottom-end">
        <Menu.Target>
          <ActionIcon variant="default" size={36} aria-label={texts.more}>
            <IconDots size={18} aria-hidden />
          </ActionIcon>
        </Menu.Target>
        <Menu.Dropdown>
          {(['edit', 'rotate', 'replay', 'delete'] as const).map((name) => (
            <Menu.Item key={name} {...(name === 'delete' && { color: 'red' })} onClick={() => show(name)}>
              {texts[name]}
            </Menu.Item>
          ))}
        </Menu.Dropdown>
      </Menu>
      {Panel && (
        <Panel key={shown.number} version={version} isOpen={shown.isOpen} onClose={onClose} onSecret={setSecret} />
      )}
      <WebhookSecret secret={secret} onDone={() => setSecret(undefined)} />
    </>
  )
}

/** Sends a test event at once. It changes nothing, so it is not reviewed. */
function TestButton({ id }: { id: string }) {
  const texts = useWebhookTexts()
  const { common } = useTexts()
  const queryClient = useQueryClient()
  const { mutate, isPending } = useMutation({
    mutationFn: () => answerOf(api.POST('/api/webhooks/{id}/test', { params: { path: { id } } })),
    onSuccess({ status, error, durationMs }) {
      const message = error === null ? texts.testDelivered(status ?? 0, durationMs) : texts.testFailed(error)
      const closeButtonProps = { 'aria-label': common.close }
      notifications.show({ message, color: error === null ? 'green' : 'red', closeButtonProps })
      void queryClient.invalidateQueries({ queryKey: webhooksKey })
    },
    onError: (error) => notifications.show({ message: <ProblemLine error={error} />, color: 'red' }),
  })
  return (
    <Button loading={isPending} onClick={() => mutate()}>
      {texts.test}
    </Button>
  )
}

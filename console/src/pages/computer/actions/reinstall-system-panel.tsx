import { Alert, List } from '@mantine/core'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { IconAlertTriangle } from '../../../components/icons.ts'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { type ActionPanelProps, taskPath } from './action-panel.ts'

/** Installs the operating system again, from the network. */
export function ReinstallSystemPanel({ page, isOpen, onClose }: ActionPanelProps) {
  const { reinstallSystem } = useTexts().computer.actions
  const { id, hostname } = page.computer
  const path = { id }
  const body = { pxe: true }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: reinstallSystem.title(hostname),
        label: reinstallSystem.label,
        isSevere: true,
        requestKey: body,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/computer/{id}/activation', {
            params: { path, query, header: headers },
            body,
          }),
        describe: () => reinstallSystem.describe(hostname),
        details: ({ answer: { missing } }) =>
          missing.length > 0 && (
            <Alert color="yellow" icon={<IconAlertTriangle aria-hidden />} title={reinstallSystem.waitsFor}>
              <List size="sm">
                {missing.map((condition) => (
                  <List.Item key={condition}>{reinstallSystem.missing[condition]}</List.Item>
                ))}
              </List>
            </Alert>
          ),
        done: ({ trackingId }) => ({
          text: reinstallSystem.done(hostname),
          ...taskPath(trackingId),
          undo: {
            label: reinstallSystem.undo,
            done: reinstallSystem.undone,
            run: () => api.DELETE('/api/computer/{id}/activation', { params: { path, query: { pxe: true } } }),
          },
        }),
        refreshes: [computerKey(id), ['tasks']],
      }}
    />
  )
}

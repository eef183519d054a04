import { List, Text } from '@mantine/core'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { NextContact } from '../../../components/next-contact.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { type ActionPanelProps, dryRunOnly, taskPath } from './action-panel.ts'

const maxNames = 10

/** Publishes the assignments of the computer. */
export function DeployPanel({ page, isOpen, onClose }: ActionPanelProps) {
  const { deploy } = useTexts().computer.actions
  const { id, hostname } = page.computer
  const path = { id }
  const body = { software: true }
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: deploy.title(hostname),
        label: deploy.label,
        requestKey: body,
        send: ({ query: { dryRun }, headers }) =>
          api.POST('/api/computer/{id}/activation', {
            params: { path, query: dryRunOnly(dryRun), header: headers },
            body,
          }),
        describe: ({ answer }) => (answer.trackingId ? deploy.describe(hostname) : deploy.nothingDue),
        details: ({ answer }) =>
          answer.trackingId && (
            <>
              <NextContact atUtc={page.nextContactUtc} />
              <Outstanding packages={page.packages} />
            </>
          ),
        done: ({ trackingId }) => ({
          text: trackingId ? deploy.done : deploy.nothingDue,
          ...taskPath(trackingId),
          ...(trackingId && {
            undo: {
              label: deploy.undo,
              done: deploy.undone,
              run: () => api.DELETE('/api/computer/{id}/activation', { params: { path, query: { software: true } } }),
            },
          }),
        }),
        refreshes: [computerKey(id), ['computers'], ['tasks']],
      }}
    />
  )
}

function Outstanding({ packages }: Pick<ActionPanelProps['page'], 'packages'>) {
  const { deploy } = useTexts().computer.actions
  const names = packages.filter(({ status }) => status !== 'Success').map(({ name, version }) => `${name} ${version}`)
  if (names.length === 0) return null
  return (
    <>
      <Text size="sm" c="dimmed">
        {deploy.outstanding(names.length)}
      </Text>
      <List size="sm">
        {names.slice(0, maxNames).map((name) => (
          <List.Item key={name}>{name}</List.Item>
        ))}
        {names.length > maxNames && <List.Item>{deploy.andMore(names.length - maxNames)}</List.Item>}
      </List>
    </>
  )
}

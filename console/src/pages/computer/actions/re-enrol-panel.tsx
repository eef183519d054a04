import { Stack, Text } from '@mantine/core'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { CopyField } from '../../../components/copy-field.tsx'
import { ShownOnce } from '../../../components/shown-once.tsx'
import { useFormat } from '../../../texts/format.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './action-panel.ts'

/** Creates a code with which one agent may take over the computer, and shows it once. */
export function ReEnrolPanel({ page, isOpen, onClose }: ActionPanelProps) {
  const { reEnrol } = useTexts().computer.actions
  const format = useFormat()
  const [code, setCode] = useState<string>()
  const { id, hostname } = page.computer
  const path = { id }
  return (
    <>
      <ReviewPanel
        isOpen={isOpen}
        onClose={onClose}
        action={{
          title: reEnrol.title(hostname),
          label: reEnrol.label,
          send: ({ uncounted: query, headers }) =>
            api.POST('/api/computer/{id}/re-enrolment', {
              params: { path, query, header: headers },
            }),
          describe: ({ answer }) => reEnrol.describe(hostname, format.dateTime(answer.untilUtc)),
          done(answer) {
            setCode(answer.code)
            return {
              text: reEnrol.done,
              undo: {
                label: reEnrol.undo,
                done: reEnrol.undone,
                run: () => api.DELETE('/api/computer/{id}/re-enrolment', { params: { path } }),
              },
            }
          },
        }}
      />
      <ShownOnce
        title={reEnrol.codeTitle(hostname)}
        warning={reEnrol.codeWarning}
        storedLabel={reEnrol.codeStored}
        onDone={() => setCode(undefined)}
      >
        {code === undefined ? undefined : (
          <Stack gap="sm">
            <CopyField label={reEnrol.code} value={code} />
            <CopyField
              label={reEnrol.command}
              value={`MUSTER_AGENT_TOKEN=${code} npm run agent -- enrol --server ${location.origin}`}
            />
            <Text size="sm" c="dimmed">
              {reEnrol.commandHint}
            </Text>
          </Stack>
        )}
      </ShownOnce>
    </>
  )
}

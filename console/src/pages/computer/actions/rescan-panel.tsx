import { Radio, Stack } from '@mantine/core'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api } from '../../../api/client.ts'
import { NextContact } from '../../../components/next-contact.tsx'
import { useTexts } from '../../../texts/texts.tsx'
import { computerKey } from '../computer-data.ts'
import { type ActionPanelProps, taskPath } from './action-panel.ts'
import { useCancelReinstall } from './use-cancel-reinstall.ts'

const scanTypes = ['Inventory', 'Patch'] as const

/** Requests an inventory or a patch scan. */
export function RescanPanel({ page, isOpen, onClose }: ActionPanelProps) {
  const { rescan } = useTexts().computer.actions
  const [scanType, setScanType] = useState<(typeof scanTypes)[number]>('Inventory')
  const { id, hostname } = page.computer
  const cancel = useCancelReinstall(id)
  const form = (
    <Radio.Group
      label={rescan.what}
      value={scanType}
      onChange={(type) => setScanType(type === 'Patch' ? 'Patch' : 'Inventory')}
    >
      <Stack gap={6} mt={6}>
        {scanTypes.map((type) => (
          <Radio key={type} value={type} label={rescan.types[type]} />
        ))}
      </Stack>
    </Radio.Group>
  )
  return (
    <ReviewPanel
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: rescan.title(hostname),
        label: rescan.label,
        form,
        requestKey: scanType,
        send: ({ uncounted: query, headers }) =>
          api.POST('/api/computer/{id}/rescan', {
            params: { path: { id }, query, header: headers },
            body: { scanType },
          }),
        describe: ({ answer }) =>
          answer.alreadyPending ? rescan.alreadyPending : rescan.describe(hostname, answer.softwareName),
        details: () => <NextContact atUtc={page.nextContactUtc} isConnected={page.computer.connectedNow} />,
        done: ({ trackingId, reinstallGroupId }) => ({
          text: rescan.done,
          ...taskPath(trackingId),
          ...cancel(reinstallGroupId, rescan),
        }),
        refreshes: [computerKey(id), ['tasks']],
      }}
    />
  )
}

import { Select } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { visibleLine } from '@muster/text'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { api, type QuarantinedAgent } from '../../api/client.ts'
import { decisionsKey } from '../../api/decisions.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useEnrolmentTexts } from '../../texts/enrolment-texts.ts'
import { overviewKey } from '../overview/use-overview.ts'

export const quarantineKey = ['quarantined-agents']

export type Decision = { agent: QuarantinedAgent; isConfirmation: boolean }

type DecisionDialogProps = { decision: Decision | undefined; onClose: () => void }

/** Asks whether an agent in quarantine is really to be confirmed or rejected, and for which computer. */
export function DecisionDialog({ decision, onClose }: DecisionDialogProps) {
  const { quarantine } = useEnrolmentTexts()
  const queryClient = useQueryClient()
  const [chosen, setChosen] = useState<string | null>(null)
  const { agent, isConfirmation = false } = decision ?? {}
  const isAmbiguous = agent !== undefined && agent.candidates.length > 0
  const name = isAmbiguous ? agent.reportedName : (agent?.hostname ?? '')
  const close = () => {
    setChosen(null)
    onClose()
  }
  const decide = async () => {
    if (!agent) return
    const params = { path: { id: agent.id } }
    const body = isAmbiguous ? { clientId: Number(chosen) } : {}
    if (isConfirmation) await api.POST('/api/quarantined-agents/{id}/confirmation', { params, body })
    else await api.DELETE('/api/quarantined-agents/{id}', { params })
    await Promise.all(
      [quarantineKey, decisionsKey, overviewKey].map((queryKey) => queryClient.invalidateQueries({ queryKey })),
    )
    notifications.show({ message: isConfirmation ? quarantine.confirmed : quarantine.rejected })
    close()
  }
  const replaced = isAmbiguous ? agent.candidates.find(({ clientId }) => String(clientId) === chosen) : agent
  const warning = replaced?.hasAgent ? ` ${quarantine.replacesAgent}` : ''
  return (
    <ConfirmDialog
      isOpen={decision !== undefined}
      title={isConfirmation ? quarantine.confirmTitle(name) : quarantine.rejectTitle(name)}
      text={isConfirmation ? quarantine.confirmText + warning : quarantine.rejectText}
      confirmLabel={isConfirmation ? quarantine.confirm : quarantine.reject}
      isDangerous={!isConfirmation || replaced?.hasAgent === true}
      isBlocked={isConfirmation && isAmbiguous && chosen === null}
      onConfirm={decide}
      onClose={close}
    >
      {isConfirmation && isAmbiguous && (
        <Select
          label={quarantine.choose}
          description={quarantine.chooseText}
          data={agent.candidates.map(({ clientId, hostname, macAddress, hasAgent }) => ({
            value: String(clientId),
            label: visibleLine([hostname, macAddress, hasAgent && quarantine.hasAgent].filter(Boolean).join(' – ')),
          }))}
          value={chosen}
          onChange={setChosen}
          searchable
        />
      )}
    </ConfirmDialog>
  )
}

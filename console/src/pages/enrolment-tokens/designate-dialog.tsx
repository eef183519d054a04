import { Select, Text } from '@mantine/core'
import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { type AgentPackage, api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { useEnrolmentTexts } from '../../texts/enrolment-texts.ts'
import { useSignatureText } from './use-signature-text.ts'

export const agentPackagesKey = ['agent-packages']

/** Chooses the package for a platform. What is designated is the content that the dialog has shown. */
export function DesignateDialog({ agent, onClose }: { agent: AgentPackage; onClose: () => void }) {
  const { agentPackages: texts } = useEnrolmentTexts()
  const signatureText = useSignatureText()
  const queryClient = useQueryClient()
  const { platform, candidates } = agent
  const [packageId, setPackageId] = useState<string | null>(candidates[0]?.id ?? null)
  const designate = async () => {
    const chosen = candidates.find(({ id }) => id === packageId)
    if (!chosen) return
    await api.PUT('/api/agent-packages/{platform}', {
      params: { path: { platform } },
      body: { packageId: chosen.id, contentHash: chosen.contentHash },
    })
    await queryClient.invalidateQueries({ queryKey: agentPackagesKey })
    notifications.show({ message: texts.designated })
    onClose()
  }
  const options = candidates.map(({ id, name, version, signature, importedBy }) => ({
    value: id,
    label: [`${name} ${version ?? ''}`, signatureText(signature), importedBy && texts.importedBy(importedBy)]
      .filter(Boolean)
      .join(' – '),
  }))
  return (
    <ConfirmDialog
      isOpen
      title={texts.chooseTitle(platform)}
      text={texts.chooseText}
      confirmLabel={texts.choose}
      isBlocked={packageId === null}
      onConfirm={designate}
      onClose={onClose}
    >
      {options.length === 0 ? (
        <Text size="sm">{texts.noCandidates}</Text>
      ) : (
        <Select
          label={texts.chooseLabel}
          data={options}
          value={packageId}
          onChange={setPackageId}
          allowDeselect={false}
        />
      )}
    </ConfirmDialog>
  )
}

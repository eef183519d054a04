import { notifications } from '@mantine/notifications'
import { useQueryClient } from '@tanstack/react-query'
import { useState } from 'react'
import { answerOf, api } from '../../api/client.ts'
import { ConfirmDialog } from '../../components/confirm-dialog.tsx'
import { CopyBlock } from '../../components/copy-block.tsx'
import { ShownOnce } from '../../components/shown-once.tsx'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { type Depot, depotName, depotsKey } from './depots.ts'

type DepotDialogProps = { depot: Depot; isOpen: boolean; onClose: () => void }

const pathOf = ({ clientId }: Depot) => ({ path: { clientId } })

/** Creates the credential of a depot, and shows it once in the command that starts the depot. */
export function NewCredential({ depot, isOpen, onClose }: DepotDialogProps) {
  const { depots } = useInfrastructureTexts()
  const queryClient = useQueryClient()
  const [credential, setCredential] = useState<string>()
  const create = async () => {
    const answer = await answerOf(api.POST('/api/depots/{clientId}/credential', { params: pathOf(depot) }))
    setCredential(answer.credential)
    await queryClient.invalidateQueries({ queryKey: depotsKey })
    onClose()
  }
  return (
    <>
      <ConfirmDialog
        isOpen={isOpen}
        title={depots.newCredentialTitle(depotName(depot))}
        text={depots.newCredentialText}
        confirmLabel={depots.newCredential}
        onConfirm={create}
        onClose={onClose}
      />
      <ShownOnce
        title={depots.credentialTitle}
        warning={depots.credentialWarning}
        storedLabel={depots.credentialStored}
        onDone={() => setCredential(undefined)}
      >
        {credential && (
          <CopyBlock
            label={depots.credentialCommand}
            value={`MUSTER_DEPOT_MASTER=${location.origin} MUSTER_DEPOT_CREDENTIAL=${credential} npm run depot`}
          />
        )}
      </ShownOnce>
    </>
  )
}

export function RevokeCredential({ depot, isOpen, onClose }: DepotDialogProps) {
  const { depots } = useInfrastructureTexts()
  const queryClient = useQueryClient()
  const revoke = async () => {
    await api.DELETE('/api/depots/{clientId}/credential', { params: pathOf(depot) })
    await queryClient.invalidateQueries({ queryKey: depotsKey })
    notifications.show({ message: depots.credentialRevoked })
    onClose()
  }
  return (
    <ConfirmDialog
      isOpen={isOpen}
      title={depots.revokeCredentialTitle(depotName(depot))}
      text={depots.revokeCredentialText}
      confirmLabel={depots.revokeCredential}
      isDangerous
      onConfirm={revoke}
      onClose={onClose}
    />
  )
}

import { ActionIcon, Button, Group, Menu } from '@mantine/core'
import { useDisclosure } from '@mantine/hooks'
import { ReviewPanel } from '../../actions/review-panel.tsx'
import { IconDots } from '../../components/icons.ts'
import { useHasRole } from '../../shell/session-context.ts'
import { useInfrastructureTexts } from '../../texts/infrastructure-texts.ts'
import { NewCredential, RevokeCredential } from './depot-credential.tsx'
import { DepotTagsDialog } from './depot-tags-dialog.tsx'
import { type Depot, depotName } from './depots.ts'
import { useSyncAction } from './sync-action.tsx'

/** What the person may do with a depot. */
export function DepotActions({ depot }: { depot: Depot }) {
  const { depots } = useInfrastructureTexts()
  const [maySync, mayTag, mayAdminister] = [
    useHasRole('activation.execute'),
    useHasRole('package.write'),
    useHasRole('admin.manage'),
  ]
  const [isSyncing, sync] = useDisclosure()
  const [isTagging, tags] = useDisclosure()
  const [isCreating, credential] = useDisclosure()
  const [isRevoking, revocation] = useDisclosure()
  const action = useSyncAction(depot)
  const name = depotName(depot)
  return (
    <Group gap="xs" wrap="nowrap">
      {maySync && (
        <Button size="compact-sm" variant="default" aria-label={`${depots.sync}: ${name}`} onClick={sync.open}>
          {depots.sync}
        </Button>
      )}
      {(mayTag || mayAdminister) && (
        <Menu position="bottom-end">
          <Menu.Target>
            <ActionIcon variant="default" aria-label={depots.more(name)}>
              <IconDots size={16} aria-hidden />
            </ActionIcon>
          </Menu.Target>
          <Menu.Dropdown>
            {mayTag && <Menu.Item onClick={tags.open}>{depots.editTags}</Menu.Item>}
            {mayAdminister && <Menu.Item onClick={credential.open}>{depots.newCredential}</Menu.Item>}
            {mayAdminister && depot.hasCredential && (
              <Menu.Item onClick={revocation.open}>{depots.revokeCredential}</Menu.Item>
            )}
          </Menu.Dropdown>
        </Menu>
      )}
      <ReviewPanel isOpen={isSyncing} onClose={sync.close} action={action} />
      <DepotTagsDialog depot={depot} isOpen={isTagging} onClose={tags.close} />
      <NewCredential depot={depot} isOpen={isCreating} onClose={credential.close} />
      <RevokeCredential depot={depot} isOpen={isRevoking} onClose={revocation.close} />
    </Group>
  )
}

import { Alert, Text } from '@mantine/core'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api, type Schemas } from '../../../api/client.ts'
import { NamedList } from '../../../components/named-list.tsx'
import { useSelectionTexts } from '../../../texts/selection-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './panel-props.ts'

type Deletion = Schemas['DeletedComputers']

/** The limit of one request. */
const maxComputers = 1_000

/** Deletes the selected computers. */
export function DeleteComputers({ ids, isOpen, onClose, clear }: ActionPanelProps) {
  const { computers: texts } = useTexts()
  const { remove } = useSelectionTexts()
  const body = { computerIds: [...ids] }
  const isTooMany = ids.length > maxComputers
  return (
    <ReviewPanel<Deletion>
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: remove.title,
        label: remove.confirm,
        isSevere: true,
        isComplete: !isTooMany,
        requestKey: body,
        form: isTooMany && <Alert color="orange">{texts.actions.removesTooMany(maxComputers)}</Alert>,
        send: ({ query, headers }) =>
          api.POST('/api/fleet/computers/deletion', { params: { query, header: headers }, body }),
        describe: ({ answer }) => remove.describe(answer.deleted),
        details: ({ answer }) => <DeletionDetails answer={answer} />,
        done({ deleted }) {
          clear()
          return { text: remove.done(deleted) }
        },
        refreshes: [['computers'], ['groups'], ['group'], ['overview']],
      }}
    />
  )
}

function DeletionDetails({ answer }: { answer: Deletion }) {
  const { remove } = useSelectionTexts()
  const { firstComputers, deleted, groupMembers, listedDepots, masterServers } = answer
  return (
    <>
      <NamedList
        items={(firstComputers ?? []).map(({ computerId, name }) => ({ id: computerId, text: name }))}
        total={deleted}
      />
      {groupMembers > 0 && <Text c="dimmed">{remove.groupMembers(groupMembers)}</Text>}
      {listedDepots > 0 && <Alert color="orange">{remove.depots(listedDepots)}</Alert>}
      {masterServers > 0 && <Text c="dimmed">{remove.masterServer}</Text>}
    </>
  )
}

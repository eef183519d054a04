import { Alert, Text } from '@mantine/core'
import { useState } from 'react'
import { ReviewPanel } from '../../../actions/review-panel.tsx'
import { api, type Schemas } from '../../../api/client.ts'
import { NamedList } from '../../../components/named-list.tsx'
import { PackagePicker, type PickedPackage } from '../../../components/package-picker.tsx'
import { useSelectionTexts } from '../../../texts/selection-texts.ts'
import { useTexts } from '../../../texts/texts.tsx'
import type { ActionPanelProps } from './panel-props.ts'

type Uninstallation = Schemas['SelectionUninstallation']

/** The limit of one request. */
const maxComputers = 10_000

/** Those that uninstall it because they are in the same groups as selected computers. */
const othersOf = ({ groups }: Uninstallation) =>
  groups.reduce((sum, { computers, selected }) => sum + Math.max(computers - selected, 0), 0)

/** Uninstalls a package from the selected computers. The options of its groups change, so this concerns their other computers. */
export function UninstallPackage({ ids, isOpen, onClose }: ActionPanelProps) {
  const { computers: texts, actions } = useTexts()
  const { uninstall } = useSelectionTexts()
  const [picked, setPicked] = useState<PickedPackage>()
  const isTooMany = ids.length > maxComputers
  const body = { computerIds: [...ids], packageId: picked?.id ?? '' }
  const name = picked?.name ?? ''
  return (
    <ReviewPanel<Uninstallation>
      isOpen={isOpen}
      onClose={onClose}
      action={{
        title: uninstall.title,
        label: uninstall.confirm,
        // People do not expect that others lose it, too.
        isSevere: ({ answer }) => othersOf(answer) > 0,
        isComplete: picked !== undefined && !isTooMany,
        requestKey: body,
        form: isTooMany ? (
          <Alert color="orange">{texts.selection.tooMany(maxComputers)}</Alert>
        ) : (
          <PackagePicker value={picked} onChange={setPicked} />
        ),
        send: ({ query, headers }) =>
          api.POST('/api/fleet/computers/software-uninstall', { params: { query, header: headers }, body }),
        describe: ({ answer }) =>
          answer.computersWithWork > 0 ? uninstall.describe(name, answer.computersWithWork) : uninstall.nothing(name),
        details: ({ answer }) => <UninstallDetails answer={answer} />,
        done: ({ trackingId }) => ({
          text: trackingId ? uninstall.done(name) : texts.actions.nothingToDo,
          ...(trackingId && { to: `/tasks/${trackingId}` }),
          ...(trackingId && {
            undo: {
              label: actions.undo,
              run: () => api.POST('/api/fleet/computers/software-uninstall/cancellation', { body }),
              done: uninstall.undone(name),
            },
          }),
        }),
        refreshes: [['computers'], ['group'], ['tasks'], ['overview'], ['package', body.packageId]],
      }}
    />
  )
}

function UninstallDetails({ answer }: { answer: Uninstallation }) {
  const { uninstall } = useSelectionTexts()
  const { groups, alreadyPending, notInstalled, notAssigned } = answer
  const others = othersOf(answer)
  return (
    <>
      <NamedList
        {...(groups.length > 0 && { title: uninstall.groups })}
        items={groups.map(({ groupId, groupPath, selected, computers }) => ({
          id: groupId,
          text: uninstall.group(groupPath, selected, computers),
        }))}
      />
      {others > 0 && <Alert color="orange">{uninstall.others(others)}</Alert>}
      {alreadyPending > 0 && <Text c="dimmed">{uninstall.alreadyPending(alreadyPending)}</Text>}
      {notInstalled > 0 && <Text c="dimmed">{uninstall.notInstalled(notInstalled)}</Text>}
      {notAssigned > 0 && <Text c="dimmed">{uninstall.notAssigned(notAssigned)}</Text>}
    </>
  )
}

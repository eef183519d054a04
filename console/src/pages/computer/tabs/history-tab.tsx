import { Stack } from '@mantine/core'
import { useFilters } from '../../../components/use-filters.ts'
import { useComputerHistoryTexts } from '../../../texts/computer-history-texts.ts'
import { ViewSwitch } from '../view-switch.tsx'
import { DeploymentHistory } from './history/deployment-history.tsx'
import { ErrorHistory } from './history/error-history.tsx'
import { EventHistory } from './history/event-history.tsx'
import { TaskHistory } from './history/task-history.tsx'

const views = {
  events: EventHistory,
  deployments: DeploymentHistory,
  tasks: TaskHistory,
  errors: ErrorHistory,
} as const

type ViewName = keyof typeof views

const isView = (name: string): name is ViewName => Object.hasOwn(views, name)

/** What happened to the computer, newest first. */
export function HistoryTab({ id }: { id: number }) {
  const texts = useComputerHistoryTexts()
  const { values, set } = useFilters(['view'], { view: Object.keys(views) })
  const view = isView(values.view) ? values.view : 'events'
  const Shown = views[view]
  return (
    <Stack gap="md">
      <ViewSwitch
        label={texts.filter}
        value={view}
        onChange={(name) => set({ view: name === 'events' ? '' : name })}
        options={Object.keys(views).map((name) => ({ value: name, label: texts.views[name as ViewName] }))}
      />
      <Shown id={id} />
    </Stack>
  )
}

import { Center } from '@mantine/core'
import { useRouteError } from 'react-router'
import { ProblemView } from '../components/problem-view.tsx'

/** Shown in place of a page that failed, also when its files are gone because a newer version was installed. */
export function PageFault() {
  const error = useRouteError()
  return (
    <Center mih="60vh" p="md">
      <ProblemView error={error} onRetry={() => location.reload()} />
    </Center>
  )
}

import { Button } from './button.tsx'

interface LoadMoreProps {
  pages: { hasNextPage: boolean; isFetchingNextPage: boolean; fetchNextPage: () => unknown }
}

/** A button for the next page of a list; nothing at its end. */
export function LoadMore({ pages }: LoadMoreProps) {
  if (!pages.hasNextPage) return null
  return (
    <div className="mt-4 flex justify-center">
      <Button busy={pages.isFetchingNextPage} onClick={() => pages.fetchNextPage()}>
        Load more
      </Button>
    </div>
  )
}

export async function whileBusy(mark: (busy: boolean) => void, act: () => Promise<void>): Promise<void> {
  mark(true);
  try {
    await act();
  } finally {
    mark(false);
  }
}

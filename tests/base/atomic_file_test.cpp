// Files that appear whole or not at all: what is refused, devices and pipes, and many at once.
#include "lodestar/atomic_file.h"

#include <fcntl.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <sys/stat.h>
#include <sys/time.h>
#include <unistd.h>

#include <atomic>
#include <chrono>
#include <memory>
#include <thread>
#include <vector>

#include "error_of.h"
#include "scratch_folder.h"
#include "standard_output.h"

namespace lodestar::atomic_file_test {
namespace {

using testing::error_of;

TEST(AtomicFiles, KeepThePermissionsOfTheOldFile) {
  const ScratchFolder folder;
  const std::string path = folder.write("a.txt", "old");
  ASSERT_EQ(::chmod(path.c_str(), 0610), 0);
  replace_file(path, "new");
  struct stat status;
  ASSERT_EQ(::stat(path.c_str(), &status), 0);
  EXPECT_EQ(status.st_mode & 0777, 0610u);
  EXPECT_EQ(folder.read("a.txt"), "new");
}

TEST(AtomicFiles, SayWhyAFileCannotBeWritten) {
  const ScratchFolder folder;
  const std::string path = folder / std::string(300, 'x');
  EXPECT_EQ(error_of([&] { replace_file(path, "text"); }),
            path + ": cannot be written: File name too long");
  EXPECT_EQ(error_of([&] { replace_file(folder / "none/a.txt", "text"); }),
            folder / "none/a.txt" + ": the folder " + folder / "none" +
                " does not exist; create it first");
  require_folder_of("-");
  const std::string beneath = folder.write("file", "text") + "/a.txt";
  EXPECT_EQ(error_of([&] { require_folder_of(beneath); }),
            beneath + ": the folder " + folder / "file" + " does not exist; create it first");
  EXPECT_EQ(error_of([] { replace_file("/dev/full", "text"); }),
            "/dev/full: writing failed: No space left on device");
  EXPECT_EQ(folder.file_count(), 1u);
}

TEST(AtomicFiles, ATargetThatBecameAFolderIsNotReplaced) {
  const ScratchFolder folder;
  {
    AtomicFile file(folder / "a");
    file.write("text");
    std::filesystem::create_directory(folder / "a");
    EXPECT_EQ(error_of([&] { file.commit(); }),
              folder / "a" + ": cannot be replaced: Is a directory");
    EXPECT_EQ(folder.file_count(), 2u);
  }
  EXPECT_EQ(folder.file_count(), 1u) << "the temporary file was left behind";
}

// Standard output as a file, and closed.
TEST(AtomicFiles, ADashIsStandardOutput) {
  const ScratchFolder folder;
  std::string said;
  {
    const testing::StandardOutput file(folder / "out.txt");
    replace_file("-", "text");
  }
  {
    const testing::StandardOutput closed("");
    said = error_of([] { replace_file("-", "text"); });
  }
  EXPECT_EQ(folder.read("out.txt"), "text");
  EXPECT_EQ(said, "stdout: cannot be written: Bad file descriptor");
}

// 64 names are kept for signal handlers; more files may be open, and are written as well.
TEST(AtomicFiles, MoreThanSignalHandlersKnow) {
  const ScratchFolder folder;
  std::vector<std::unique_ptr<AtomicFile>> files;
  for (int i = 0; i < 70; ++i) {
    files.push_back(std::make_unique<AtomicFile>(folder / ("a" + std::to_string(i))));
    files.back()->write("text");
  }
  EXPECT_EQ(folder.file_count(), 70u);
  remove_temporary_files();  // as on a signal
  EXPECT_EQ(folder.file_count(), 6u);
  EXPECT_EQ(error_of([&] { files[0]->commit(); }),
            folder / "a0" + ": cannot be replaced: No such file or directory");
  for (std::size_t i = 64; i < 70; ++i) files[i]->commit();
  files.clear();
  EXPECT_EQ(folder.file_count(), 6u);
  EXPECT_EQ(folder.read("a69"), "text");
  replace_file(folder / "b", "text");  // the slots are free again
  EXPECT_EQ(folder.file_count(), 7u);
}

std::atomic<int> alarms{0};

// A pipe whose reader is slow: signals interrupt the write, and no byte is lost.
TEST(AtomicFiles, SignalsInterruptNoWrite) {
  const ScratchFolder folder;
  const std::string path = folder / "pipe";
  ASSERT_EQ(::mkfifo(path.c_str(), 0600), 0);
  const int end = ::open(path.c_str(), O_RDONLY | O_NONBLOCK);
  ASSERT_GE(end, 0);
  const std::string text(300'000, 'x');
  sigset_t alarm;
  sigemptyset(&alarm);
  sigaddset(&alarm, SIGALRM);
  pthread_sigmask(SIG_BLOCK, &alarm, nullptr);  // in the reader
  std::atomic<bool> written{false};
  std::string got;
  std::thread reader([&] {
    while (alarms < 5 && !written) std::this_thread::sleep_for(std::chrono::milliseconds(1));
    std::vector<char> buffer(1 << 16);
    while (true) {
      const bool last = written;
      const ssize_t count = ::read(end, buffer.data(), buffer.size());
      if (count > 0) got.append(buffer.data(), static_cast<std::size_t>(count));
      if (count <= 0 && last) return;
    }
  });
  struct sigaction action {
  }, before;
  action.sa_handler = [](int) { ++alarms; };  // without SA_RESTART
  ::sigaction(SIGALRM, &action, &before);
  const itimerval every{{0, 2000}, {0, 2000}}, never{};
  ::setitimer(ITIMER_REAL, &every, nullptr);
  pthread_sigmask(SIG_UNBLOCK, &alarm, nullptr);
  const std::string said = error_of([&] { replace_file(path, text); });
  ::setitimer(ITIMER_REAL, &never, nullptr);
  ::sigaction(SIGALRM, &before, nullptr);
  written = true;
  reader.join();
  ::close(end);
  EXPECT_EQ(said, "");
  EXPECT_EQ(got, text);
  EXPECT_GE(alarms, 5);
}

}  // namespace
}  // namespace lodestar::atomic_file_test

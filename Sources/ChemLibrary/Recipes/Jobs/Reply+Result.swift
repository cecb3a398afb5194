public import ChemActors

extension Reply {
    /// Answers with a result or an error. (An error that a body throws would be reported as well, and this one is no
    /// mishap.)
    @usableFromInline
    func end(with result: Result<Answer, any Error>) {
        switch result {
        case .success(let answer): self(answer)
        case .failure(let error): fail(error)
        }
    }
}

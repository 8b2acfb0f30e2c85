import com.google.protobuf.DescriptorProtos.FieldDescriptorProto.Type;
import com.google.protobuf.DescriptorProtos.FileDescriptorProto;
import com.google.protobuf.DescriptorProtos.FileDescriptorSet;
import com.google.protobuf.Descriptors.FileDescriptor;
import com.google.zetasql.ClientChannelProvider;
import com.google.zetasql.LocalService;
import com.google.zetasql.io.grpc.CallOptions;
import com.google.zetasql.io.grpc.Channel;
import com.google.zetasql.io.grpc.HandlerRegistry;
import com.google.zetasql.io.grpc.MethodDescriptor;
import com.google.zetasql.io.grpc.MethodDescriptor.Marshaller;
import com.google.zetasql.io.grpc.ServerMethodDefinition;
import com.google.zetasql.io.grpc.Status;
import com.google.zetasql.io.grpc.StatusRuntimeException;
import com.google.zetasql.io.grpc.netty.NettyServerBuilder;
import com.google.zetasql.io.grpc.stub.ClientCalls;
import com.google.zetasql.io.grpc.stub.ServerCalls;
import java.io.ByteArrayInputStream;
import java.io.IOException;
import java.io.InputStream;
import java.io.UncheckedIOException;
import java.net.InetSocketAddress;
import java.nio.file.Files;
import java.nio.file.Path;
import java.nio.file.StandardCopyOption;
import java.util.LinkedHashSet;
import java.util.Set;
import java.util.concurrent.Executors;

/**
 * Serves the parser of com.google.zetasql over gRPC, as the server of @fivetrandevelopers/zetasql does.
 * Arguments: the port, and the file that gets the descriptors of the service's messages.
 */
class OracleServer {
  static final Marshaller<byte[]> BYTES =
      new Marshaller<>() {
        @Override
        public InputStream stream(byte[] value) {
          return new ByteArrayInputStream(value);
        }

        @Override
        public byte[] parse(InputStream stream) {
          try {
            return stream.readAllBytes();
          } catch (IOException e) {
            throw new UncheckedIOException(e);
          }
        }
      };

  public static void main(String[] arguments) throws Exception {
    // Moved into its place, so that nobody reads half of it.
    Path written = Path.of(arguments[1]);
    Path part = Files.write(Path.of(arguments[1] + ".part"), descriptors());
    Files.move(part, written, StandardCopyOption.ATOMIC_MOVE);
    Channel parser = ClientChannelProvider.loadChannel();
    HandlerRegistry everything =
        new HandlerRegistry() {
          @Override
          public ServerMethodDefinition<?, ?> lookupMethod(String name, String authority) {
            MethodDescriptor<byte[], byte[]> method =
                MethodDescriptor.newBuilder(BYTES, BYTES)
                    .setFullMethodName(name)
                    .setType(MethodDescriptor.MethodType.UNARY)
                    .build();
            return ServerMethodDefinition.create(
                method,
                ServerCalls.asyncUnaryCall(
                    (request, observer) -> {
                      try {
                        observer.onNext(ClientCalls.blockingUnaryCall(parser, method, CallOptions.DEFAULT, request));
                        observer.onCompleted();
                      } catch (StatusRuntimeException e) {
                        observer.onError(e);
                      } catch (RuntimeException e) {
                        observer.onError(Status.INTERNAL.withDescription(e.toString()).asRuntimeException());
                      }
                    }));
          }
        };
    NettyServerBuilder.forAddress(new InetSocketAddress("localhost", Integer.parseInt(arguments[0])))
        .executor(Executors.newFixedThreadPool(2))
        .fallbackHandlerRegistry(everything)
        .build()
        .start()
        .awaitTermination();
  }

  static byte[] descriptors() {
    Set<FileDescriptor> files = new LinkedHashSet<>();
    add(LocalService.getDescriptor(), files);
    FileDescriptorSet.Builder set = FileDescriptorSet.newBuilder();
    files.forEach(file -> set.addFile(withBytes(file.toProto().toBuilder())));
    return set.build().toByteArray();
  }

  /** The value of a bytes literal is declared as a string, which would spoil what is not UTF-8. */
  static FileDescriptorProto.Builder withBytes(FileDescriptorProto.Builder file) {
    file.getMessageTypeBuilderList()
        .forEach(
            message ->
                message.getFieldBuilderList().stream()
                    .filter(field -> field.getName().equals("bytes_value") && field.getType() == Type.TYPE_STRING)
                    .forEach(field -> field.setType(Type.TYPE_BYTES)));
    return file;
  }

  static void add(FileDescriptor file, Set<FileDescriptor> files) {
    file.getDependencies().forEach(dependency -> add(dependency, files));
    files.add(file);
  }
}
